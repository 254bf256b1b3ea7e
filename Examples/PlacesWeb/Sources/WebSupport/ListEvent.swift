/// What a browser is told of a list.
struct ListEvent: Encodable {
    /// A section, and all its rows where it is new to the browser.
    struct Section: Encodable {
        var id: Int
        var title: String
        var rows: [WebRow]?
    }

    /// Where a row comes to be when everything else has happened.
    struct Placement: Encodable {
        var id: String
        var section: Int
        var item: Int
    }

    /// What happened to a list, in the order in which a browser applies it.
    struct Change: Encodable {
        /// The rows that went.
        var deletes: [String] = []
        /// All sections in their order, where that or their titles changed.
        var sections: [Section]?
        /// The rows that came or moved, by ascending place; the places of those that moved count from when all of
        /// them were taken out.
        var placements: [Placement] = []
        /// What rows show that came or changed.
        var rows: [WebRow] = []
    }

    /// What goes on behind a list.
    struct Status: Encodable {
        var text: String
        var isBusy: Bool
        var isFailure: Bool
    }

    /// The feed's name.
    var feed: String
    /// The position of this event, for who comes back.
    var position: String?
    /// All that the list shows, for who does not know it.
    var sections: [Section]?
    /// What happened.
    var change: Change?
    /// What is said instead of rows.
    var message: String?
    var status: Status?
}
