import Foundation
import Testing

@testable import PlacesKit

/// The search field of a list.
@Suite struct ListSearchTests {
    @Test func `a search leaves what the list asks besides, in both languages`() throws {
        let context = ManagedObjectContext(try GraphStore(model: PlacesLibrary.model))
        for (title, width) in [("Seine at dusk", 800), ("Seine at dawn", 300), ("Tower", 800)] {
            let photo = Photo(context: context)
            (photo.uniqueID, photo.title, photo.pixelWidth) = (title, title, width)
        }
        var request = try FetchRequest<Photo>(
            where: "pixelWidth > 500", sortBy: [SortDescriptor(\.title)])
        request.predicate = #Predicate { $0.title != "Tower" }
        let list = try FetchedResultsController(request, in: context)
        for (text, titles) in [
            ("seine", ["Seine at dusk"]), ("tower", []), ("DUSK", ["Seine at dusk"]),
            ("dawn", []), ("", ["Seine at dusk"]),
        ] {
            try list.search(text)
            #expect(list.objects.map(\.title) == titles, "\(text)")
        }
        #expect(list.request.format?.format == "pixelWidth > 500")
    }
}
