public import PlacesKit

/// A row of a list, as a person reads it.
public struct Row {
    /// What it is.
    public var title: String
    /// What stands behind the title.
    public var detail: String
    /// The section that it belongs into.
    public var section: String

    /// Makes a row.
    public init(_ title: String, _ detail: String = "", section: String = "") {
        self.title = title
        self.detail = detail
        self.section = section
    }

    /// The row of a place.
    public init(_ place: Place) {
        self.init(place.title, place.subtitle, section: place.country)
    }

    /// The row of a place that a source named.
    public init(_ place: PlaceRecord) {
        self.init(place.title, place.subtitle, section: place.section)
    }

    /// The row of a photo.
    public init(_ photo: Photo, section: String = "") {
        self.init(photo.title, photo.takenBy?.name ?? "", section: section)
    }

    /// The row of a photo that a source listed.
    public init(_ photo: PhotoRecord) {
        self.init(photo.displayTitle, photo.owner.name)
    }

    /// The row of a region.
    public init(_ region: Region) {
        let (people, photos) = (region.photographerCount, region.photoCount)
        self.init(
            region.name,
            "\(people) photographer\(people == 1 ? "" : "s"), "
                + "\(photos) photo\(photos == 1 ? "" : "s")")
    }

    /// The row of a pin.
    public init(_ pin: Pin) {
        self.init(pin.name, pin.albumState.words(of: pin.photos.count))
    }
}

extension AlbumState {
    /// How far an album of so many photos is, as a person reads it.
    func words(of count: Int) -> String {
        switch self {
        case .notSearched: "not looked for yet"
        case .downloading(let missing): "\(count - missing) of \(count) pictures"
        case .ready: "\(count) picture\(count == 1 ? "" : "s")"
        case .empty: "no photos here"
        case .incomplete(let failed): "\(count - failed) of \(count) pictures, \(failed) failed"
        }
    }
}

/// Writes those of a list that have a text: as JSON for other programs, or as rows.
public func show<Object: SearchableObject, Output: Encodable>(
    _ list: FetchedResultsController<Object>, search: String, json: Bool,
    empty: String = "Nothing here.", as output: (Object) -> Output, row: (Object) -> Row
) throws {
    try list.search(search)
    guard !json else { return try JSONOutput.write(list.objects.map(output)) }
    show(list.objects.map(row), empty: empty)
}

/// Writes rows in their sections, numbered through; each in one line of the terminal.
public func show(_ rows: [Row], empty: String = "Nothing here.") {
    guard !rows.isEmpty else {
        print(empty)
        return
    }
    let width = String(rows.count).count
    let columns = Terminal.columns
    var section = ""
    for (index, row) in rows.enumerated() {
        if row.section != section {
            section = row.section
            print("\(index == 0 ? "" : "\n")\(section.fitting(columns))")
        }
        let number = String(index + 1)
        let padding = String(repeating: " ", count: width - number.count)
        let text = row.detail.isEmpty ? row.title : "\(row.title) — \(row.detail)"
        print("  \(padding)\(number)  \(text)".fitting(columns))
    }
}
