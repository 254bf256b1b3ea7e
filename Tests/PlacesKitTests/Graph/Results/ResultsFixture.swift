import Foundation
import PlacesKit
import PlacesKitTesting

/// A context with a few photos of few places, and ways to say what a controller told.
struct ResultsFixture {
    typealias Photo = ResultsModel.Photo
    typealias Place = ResultsModel.Place

    let store: GraphStore
    let context: ManagedObjectContext

    init() throws {
        store = try ResultsModel.store()
        context = ManagedObjectContext(store)
    }

    @discardableResult
    func photo(_ title: String, views: Int = 0, at place: Place? = nil) -> Photo {
        let photo = Photo(context: context)
        photo.title = title
        photo.views = views
        photo.takenAt = place
        return photo
    }

    func place(_ name: String, in country: String? = nil) -> Place {
        let place = Place(context: context)
        place.name = name
        place.country = country
        return place
    }

    /// A controller over the photos, and what it tells from now on.
    func watch(
        where predicate: Predicate<Photo>? = nil,
        by sort: [SortDescriptor<Photo>] = [SortDescriptor(\Photo.title)],
        limit: Int? = nil, offset: Int = 0
    ) throws -> ControllerLog {
        let request = FetchRequest(
            predicate: predicate, sortBy: sort, limit: limit, offset: offset)
        return ControllerLog(try FetchedResultsController(request, in: context))
    }

    /// A controller over the photos in sections by country.
    func watchCountries() throws -> ControllerLog {
        let request = FetchRequest<Photo>(
            sortBy: [SortDescriptor(\.takenAt?.country), SortDescriptor(\.title)])
        return ControllerLog(
            try FetchedResultsController(request, sectionBy: \.takenAt?.country, in: context))
    }
}

/// What a controller tells, each change replayed and written down.
final class ControllerLog {
    let results: FetchedResultsController<ResultsModel.Photo>
    private(set) var changes: [ResultsChange<ObjectID>] = []
    private(set) var mismatches: [String] = []
    private var recorder: ResultsRecorder<ObjectID>

    init(_ results: FetchedResultsController<ResultsModel.Photo>) {
        self.results = results
        recorder = ResultsRecorder(results.snapshot)
        results.onChange = { [weak self] change in
            guard let self else { return }
            changes.append(change)
            do {
                try recorder.replay(change)
            } catch {
                mismatches.append("\(error)")
            }
        }
    }

    /// The titles of the results, with sections in front if there are any: `Italy: Arch Bay`.
    var titles: String {
        results.snapshot.sections.map { section in
            let titles = results.objects[section.range].map(\.title).joined(separator: " ")
            return section.name.isEmpty ? titles : "\(section.name): \(titles)"
        }.joined(separator: ", ")
    }

    /// The changes since the last call, an event each: `insert 0/1`, `move 0/2 to 1/0`.
    func takeEvents() -> [[String]] {
        defer { changes = [] }
        return changes.map { change in
            let difference = change.difference
            return difference.sectionDeletes.map { "delete section \($0.index) \($0.name)" }
                + difference.sectionInserts.map { "insert section \($0.index) \($0.name)" }
                + difference.sectionMoves.map {
                    "move section \($0.oldIndex) to \($0.newIndex) \($0.name)"
                }
                + difference.sectionRenames.map {
                    "rename section \($0.newIndex) \($0.oldName) \($0.name)"
                }
                + difference.itemDeletes.map { "delete \($0.position.text)" }
                + difference.itemInserts.map { "insert \($0.position.text)" }
                + difference.itemMoves.map {
                    "move \($0.oldPosition.text) to \($0.newPosition.text)"
                }
                + difference.itemUpdates.map { "update \($0.newPosition.text)" }
        }
    }
}

extension ItemPosition {
    fileprivate var text: String { "\(section)/\(item)" }
}
