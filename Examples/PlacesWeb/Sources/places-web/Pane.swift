import PlacesKit

/// One screen of a system: alone on a phone, beside the one that it came from where there is room.
struct Pane: Encodable {
    /// How a pane looks.
    enum Kind: String, Encodable {
        /// Rows in sections.
        case list
        /// Pictures side by side.
        case grid
        /// Pins on a map, and rows below.
        case map
        /// One picture to pan and zoom.
        case photo
        /// How far the opening of the document is, which the pane then makes room for.
        case opening
    }

    /// Something that a person can do with the whole pane.
    struct Command: Encodable {
        /// What is sent to the pane's address.
        var action: String
        /// What stands on the button.
        var title: String
        /// What is asked before.
        var question: String?
    }

    var kind: Kind
    var title: String
    /// The address of the pane, and of its list.
    var path = ""
    var isSearchable = false
    /// Whether the rows have small pictures.
    var hasPictures = false
    /// Whether photos can be made favorites here.
    var hasStars = false
    var commands: [Command] = []
    /// The other lists of the same rank.
    var scopes: [Tab] = []
    /// The part of the map that is shown first.
    var region: MapRegion?
    /// What is known of the photo.
    var photo: PhotoFacts?
}

/// One of several addresses of the same rank.
struct Tab: Encodable {
    var title: String
    var path: String
}

/// What a photo pane shows besides the picture.
struct PhotoFacts: Encodable {
    var picture: String
    var width: Int?
    var height: Int?
    /// Labels and texts.
    var lines: [[String]]
    var page: String?
}
