@testable import PlacesGraph
@testable import PlacesGraphTesting
@testable import PlacesKitTesting

static let change: ResultsChange<ObjectID> = given()
