import Foundation
import HTTPTypes
import Hummingbird
import PlacesKit

/// What a page asks to be done, at the address of a pane.
struct Action: Decodable {
    var action: String
    /// The row that it is about.
    var row: String?
    var isFavorite: Bool?
    var latitude: Double?
    var longitude: Double?
    var name: String?
    var region: MapRegion?

    var coordinate: Coordinate? {
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Whether it is a step that a person may take back: to look at something, or to load it, is none.
    var isStep: Bool { ["favorite", "drop", "move", "delete", "remove"].contains(action) }
}

/// Why an action is not done, for the page to show.
extension Action {
    /// That there is no such action.
    var unknown: HTTPError {
        HTTPError(.badRequest, message: "There is no action “\(action)” here.")
    }

    /// That what the action is about is not there any more.
    var gone: HTTPError { HTTPError(.notFound, message: "It is gone.") }

    /// That the page did not say enough.
    func lacks(_ what: String) -> HTTPError {
        HTTPError(.badRequest, message: "The action “\(action)” needs \(what).")
    }
}

/// What came of an action.
struct ActionAnswer: Encodable {
    /// Where the page goes on, if elsewhere.
    var path: String?
    /// What went wrong, for a person.
    var failure: String?
}
