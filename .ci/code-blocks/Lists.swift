@MainActor static let list: ListController<Photo> = given()
@MainActor static let table = List()
