@testable import PlacesKit
@testable import PlacesKitTesting

static let change: ResultsChange<ObjectID> = given()
