static let records: MigrationRecords = given()
