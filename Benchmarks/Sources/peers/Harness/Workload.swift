import ArgumentParser

/// What the contestants are compared in.
enum Workload: String, CaseIterable, ExpressibleByArgument {
    /// All photos and places, into an empty store, in one transaction.
    case insert
    /// Some photos to another place, in one transaction.
    case relate
    /// Some photos become favorites or cease to be, in one transaction, and their places' counts follow.
    case updateDerived = "update-derived"
    /// The title of a photo that is asked for by its unique id.
    case lookupUnique = "lookup-unique"
    /// The titles of photos that are asked for by many unique ids at once.
    case findMany = "find-many"
    /// Which of many unique ids, of which every other is a photo's, are there.
    case containsMany = "contains-many"
    /// How many photos have more views than a bound; there is no index.
    case scanCount = "scan-count"
    /// How many photos are by one photographer; there is no index.
    case scanString = "scan-string"
    /// How many photos are of a span of time, stored in the order of their dates; there is no index.
    case scanRecent = "scan-recent"
    /// How many photos have a text in their title, whatever its case and accents.
    case scanContains = "scan-contains"
    /// The newest photos in whose title words begin as those of a search field's text.
    case search
    /// The photos in whose title such words count most, each with the part of the title that has them.
    case searchRanked = "search-ranked"
    /// How many photos are in a box of the map, and their views; there is a spatial index.
    case inBox = "in-box"
    /// The photos that are nearest to a point, nearest first.
    case nearest = "nearest-50"
    /// The first photos of a span of time; there is an index.
    case indexRangeLimit = "index-range-limit"
    /// The newest photos of the places whose name begins with a prefix.
    case joinSortLimit = "join-sort-limit"
    /// The places with the most distinct photographers, then by name.
    case groupDistinct = "group-distinct"
    /// The same, kept current while photos change their photographer one by one.
    case liveGroups = "live-groups"
    /// All photos, and a string, an integer and a double of each.
    case iterate
    /// One integer attribute of each of many live objects.
    case attributeRead = "attribute-read"
    /// Another value for one integer attribute of each of many live objects.
    case attributeWrite = "attribute-write"
    /// A change of one photo in a live list of all by views, until the new list is there.
    case liveUpdate = "live-update"

    /// What one operation is.
    var unit: String {
        switch self {
        case .insert, .iterate: "photo"
        case .relate: "move"
        case .liveGroups: "change"
        case .updateDerived: "update"
        case .lookupUnique: "look-up"
        case .findMany, .containsMany: "id"
        case .scanCount, .scanString, .scanRecent, .scanContains: "row"
        case .search, .searchRanked, .inBox, .nearest, .indexRangeLimit, .joinSortLimit,
            .groupDistinct:
            "query"
        case .attributeRead, .attributeWrite: "object"
        case .liveUpdate: "change"
        }
    }

    /// How many operations a trial does.
    func operations(in world: World) -> Int {
        switch self {
        case .insert, .iterate, .attributeRead, .attributeWrite: world.photos.count
        case .relate, .updateDerived: world.movedPhotos.count
        case .lookupUnique, .findMany: world.lookedUpIDs.count
        case .containsMany: world.askedIDs.count
        case .scanCount: world.photos.count * world.viewBounds.count
        case .scanString: world.photos.count * world.photographers.count
        case .scanRecent: world.photos.count * world.countedSpans.count
        case .scanContains: world.photos.count * world.searchedTexts.count
        case .search, .searchRanked: world.searches.count
        case .inBox: world.boxes.count
        case .nearest: world.mapCenters.count
        case .indexRangeLimit: world.spans.count
        case .joinSortLimit: world.namePrefixes.count
        case .groupDistinct: 1
        case .liveGroups: world.creditedPhotos.count
        case .liveUpdate: world.liveUpdates(inRound: 0).count
        }
    }
}
