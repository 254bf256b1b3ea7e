static let photo: PhotoRecord = given()
