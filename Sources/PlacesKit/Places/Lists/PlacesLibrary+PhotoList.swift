import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// The order of photos in which the one that was uploaded last comes first.
    static var newestFirst: [SortDescriptor<Photo>] {
        [SortDescriptor(\.dateUploaded, order: .reverse), SortDescriptor(stored: \.uniqueID)]
    }

    /// The order of photos in which their titles are alphabetical.
    static var byTitle: [SortDescriptor<Photo>] {
        [
            SortDescriptor(stored: \.titleKey), SortDescriptor(stored: \.title),
            SortDescriptor(stored: \.uniqueID),
        ]
    }

    /// A list of photos that can be searched by title, description and tags, as in every list.
    func photoList(
        _ request: FetchRequest<Photo>, sectionBy section: PartialKeyPath<Photo>? = nil,
        subtitle: PartialKeyPath<Photo> = \.takenBy?.name
    ) throws -> ListController<Photo> {
        try ListController(
            request, sectionBy: section, title: \.title, subtitle: subtitle,
            thumbnail: \.thumbnail, searching: [\.title, \.photoDescription, \.tagLines],
            in: context)
    }
}
