public import Foundation
public import PlacesKit

/// A row of a list, as a person reads it.
public struct Row {
    /// What it is.
    public var title: String
    /// What stands behind the title.
    public var detail: String
    /// The page that the title leads to, where there are links.
    public var link: URL?
    /// The section that it belongs into.
    public var section: String
    /// Its number in the whole list, where only a part is shown; without it rows are counted.
    public var number: Int?
    /// Where it is on a map.
    public var coordinate: Coordinate?
    /// Gets its small picture, if it has one.
    public var picture: (@MainActor () async throws -> Data)?

    /// Makes a row.
    public init(_ title: String, _ detail: String = "", section: String = "") {
        self.title = title
        self.detail = detail
        self.section = section
    }

    /// The row of a place that a source named.
    public init(_ place: PlaceRecord) {
        self.init(place.title, place.subtitle, section: place.section)
        coordinate = place.coordinate
    }
}

@MainActor extension Row {
    /// A row of a live list of a library.
    fileprivate init(
        _ row: ListRow, _ object: ManagedObject, section: String, in library: PlacesLibrary
    ) {
        self.init(row.title, row.subtitle ?? "", section: section)
        switch object {
        case let photo as Photo: take(photo, in: library)
        case let place as Place: coordinate = place.coordinate
        case let pin as Pin: coordinate = pin.coordinate
        // It is where one of its photos was taken.
        case let region as Region:
            coordinate = region.photos.lazy.compactMap(\.coordinate).first
        default: break
        }
    }

    /// The row of a photo.
    public init(_ photo: Photo, section: String = "", in library: PlacesLibrary) {
        self.init(photo.title, photo.takenBy?.name ?? "", section: section)
        take(photo, in: library)
    }

    /// The row of a photo that a source listed.
    public init(_ photo: PhotoRecord, in library: PlacesLibrary) {
        self.init(photo.displayTitle, photo.owner.name)
        link = photo.pageURL
        coordinate = photo.coordinate
        let request = ImageRequest(photo, atLeast: 150, allowsCropping: true)
        picture = { [images = library.images] in try await images.image(request) }
    }

    private mutating func take(_ photo: Photo, in library: PlacesLibrary) {
        link = photo.pageURL
        coordinate = photo.coordinate
        picture = {
            do {
                return try await library.thumbnail(of: photo)
            } catch {
                guard let picture = photo.picture else { throw error }
                return picture
            }
        }
    }
}

extension [Row] {
    /// The small pictures of some rows, got at the same time; those that cannot be had are left out.
    @MainActor
    func pictures(at indices: Range<Int>) async -> [Int: Data] {
        await withTaskGroup(of: (Int, Data?).self) { group in
            for index in indices {
                guard let picture = self[index].picture else { continue }
                group.addTask { (index, try? await picture()) }
            }
            var files: [Int: Data] = [:]
            for await (index, file) in group { files[index] = file }
            return files
        }
    }
}

extension Int {
    /// So many of something, in words.
    public func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

@MainActor extension PlacesLibrary {
    /// The rows of a live list, as a person reads them.
    public func rows<Object: ManagedObject>(of list: ListController<Object>) -> [Row] {
        let rows = list.sections.lazy.flatMap { section in section.rows.map { ($0, section.title) }
        }
        return zip(rows, list.objects).map { Row($0.0, $1, section: $0.1, in: self) }
    }
}
