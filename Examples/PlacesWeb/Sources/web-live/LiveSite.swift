import Foundation
import Hummingbird
import PlacesKit
import WebSupport

/// A site of one long list, whose rows change as they are told.
@MainActor
final class LiveSite: WebSite {
    /// What has a row.
    final class Entry: ManagedObject {
        @Attribute var title = ""
        @Attribute(.indexed) var rank = 0
    }

    private let context: ManagedObjectContext
    private let entries: [Entry]
    private let feed: ListFeed<Entry>
    private var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()

    init(rows: Int) throws {
        context = ManagedObjectContext(try GraphStore(model: [Entry.self]))
        entries = (0..<rows).map { [context] number in
            let entry = Entry(context: context)
            (entry.title, entry.rank) = ("Row \(number)", number)
            return entry
        }
        try context.save()
        let list = try ListController(
            FetchRequest<Entry>(sortBy: [SortDescriptor(\.rank)]), title: \.title, in: context)
        feed = ListFeed("rows", list) { entry, row in
            WebRow(id: "\(entry.objectID)", title: row.title)
        }
    }

    func get(_ request: WebRequest) async throws -> Response { .done }

    /// Gives a row the number that is posted as its title, and every other time another place in the list.
    func post(_ request: WebRequest, _ body: Data) async throws -> Response {
        let number = try JSONDecoder().decode(Int.self, from: body)
        let entry = entries[Int.random(in: entries.indices, using: &generator)]
        entry.title = StreamReader.text(of: number)
        if number.isMultiple(of: 2) {
            entry.rank = Int.random(in: entries.indices, using: &generator)
        }
        try context.save()
        return .done
    }

    func follow(_ request: WebRequest, _ stream: EventStream) async throws {
        feed.join(stream, since: nil)
    }

    func unfollow(_ stream: EventStream) async { feed.leave(stream) }
}
