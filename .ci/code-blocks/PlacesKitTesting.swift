@testable import PlacesGraph
@testable import PlacesKitTesting

static let change: ResultsChange<ObjectID> = given()
