import Foundation
import PlacesKit
import Synchronization

/// The classes that the tests of lists use, and a list of them beside what it told.
enum ListModel {
    final class Photo: ManagedObject {
        @Attribute var title = ""
        @Attribute var caption: String?
        @Attribute var views = 0
        @Attribute var isHidden = false
        @Attribute(.externalStorage) var thumbnail: Data?
        @Relationship(inverse: \City.photos) var city: City?

        var viewText: String { "\(views) views" }
        var isPopular: Bool { views > ListModel.popularity.withLock(\.self) }
    }

    final class City: ManagedObject {
        @Attribute var name = ""
        @Relationship var photos: ObjectSet<Photo>
    }

    static func context() throws -> ManagedObjectContext {
        ManagedObjectContext(try GraphStore(model: [Photo.self, City.self]))
    }

    /// How many views are few: something that no list can follow.
    static let popularity = Mutex(2)

    static let byTitle = FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)])
}

extension ManagedObjectContext {
    @discardableResult
    func photo(_ title: String, in city: String? = nil, views: Int = 0) throws -> ListModel.Photo {
        let photo = ListModel.Photo(context: self)
        photo.title = title
        photo.views = views
        if let city {
            let known = try fetch(
                FetchRequest<ListModel.City>(predicate: #Predicate { $0.name == city }))
            photo.city = known.first ?? ListModel.City(context: self)
            photo.city?.name = city
        }
        return photo
    }
}

/// A list, and all that it told.
final class WatchedList {
    let list: ListController<ListModel.Photo>
    private(set) var changes: [ResultsChange<ObjectID>] = []

    init(_ list: ListController<ListModel.Photo>) {
        self.list = list
        list.onChange = { [unowned self] in note($0) }
    }

    func note(_ change: ResultsChange<ObjectID>) { changes.append(change) }

    /// What was told since the last call.
    func take() -> [ResultsChange<ObjectID>] {
        defer { changes = [] }
        return changes
    }

    /// The titles, section by section: `Nice: Arch Bay, Rome: Forum`.
    var titles: String {
        list.sections.map { section in
            let titles = section.rows.map(\.title).joined(separator: " ")
            return section.title.isEmpty ? titles : "\(section.title): \(titles)"
        }
        .joined(separator: ", ")
    }
}
