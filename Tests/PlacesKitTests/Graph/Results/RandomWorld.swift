import Foundation
import PlacesKit

/// Photos and places that change at random, watched by results controllers.
final class RandomWorld {
    private typealias Photo = ResultsModel.Photo
    private typealias Place = ResultsModel.Place

    private var generator: SeededGenerator
    private let context: ManagedObjectContext
    private let other: ManagedObjectContext
    private var state: ResultsWorldState
    private(set) var watched: [any WatchedResults] = []
    private var findings: [String] = []
    private var subscription: ChangeSubscription?

    init(seed: UInt64, photos: Int) throws {
        generator = SeededGenerator(seed: seed)
        let store = try ResultsModel.store()
        context = ManagedObjectContext(store)
        for _ in 0..<4 { _ = RandomWorld.makePlace(in: context, using: &generator) }
        for _ in 0..<photos { try RandomWorld.makePhoto(in: context, using: &generator) }
        try context.save()
        other = ManagedObjectContext(store)
        context.isUndoEnabled = true
        state = try ResultsWorldState(context)
    }

    /// Watches what `make` makes, for each batch of changes from now on.
    func watch(_ make: [(ManagedObjectContext) throws -> any WatchedResults]) throws {
        watched = try make.map { try $0(context) }
        // The last listener, so that the controllers have heard of the changes already.
        subscription = context.onChange { [weak self] change in
            if change.kind != .didSave { self?.finish() }
        }
    }

    private func finish() {
        do {
            let after = try ResultsWorldState(context)
            for results in watched { try results.finish(from: state, to: after) }
            state = after
        } catch {
            findings.append("\(error)")
        }
    }

    /// Makes some random changes and processes them; returns what was wrong, in sentences.
    func change() throws -> [String] {
        for _ in 0..<Int.random(in: 0...6, using: &generator) { try edit(context) }
        var operation = ""
        for results in watched { try results.change(using: &generator) }
        switch Int.random(in: 0..<11, using: &generator) {
        case 0..<4:
            operation = "save"
            try saveOrRollBack()
        case 4..<7:
            operation = "process"
            context.processPendingChanges()
            if Bool.random(using: &generator) { try edit(context) }
        case 7:
            operation = "rollback"
            context.rollback()
        case 8:
            operation = "undo"
            context.undo()
            context.processPendingChanges()
            if Bool.random(using: &generator) { context.redo() }
            context.processPendingChanges()
        default:
            operation = "merge"
            other.rollback()
            for _ in 0..<Int.random(in: 1...4, using: &generator) { try edit(other) }
            try other.save()
            if Bool.random(using: &generator) { try saveOrRollBack() }
            context.refreshAllObjects()
        }
        defer { findings = [] }
        return (findings + watched.flatMap { $0.takeFindings() }).map { "\(operation): \($0)" }
    }

    /// Saves; what conflicts with the other context is given up.
    private func saveOrRollBack() throws {
        do {
            try context.save()
        } catch {
            // NB: `catch .conflict` in a function that throws crashes the compiler (Swift 6.3).
            guard case .conflict = error else { throw error }
            context.rollback()
        }
    }

    // MARK: - Edits

    private func edit(_ context: ManagedObjectContext) throws {
        let photos = Array(try context.fetch(Photo.self))
        let places = Array(try context.fetch(Place.self))
        guard photos.count > 5, places.count > 2,
            let photo = photos.randomElement(using: &generator),
            let place = places.randomElement(using: &generator)
        else {
            let place = RandomWorld.makePlace(in: context, using: &generator)
            let photo = try RandomWorld.makePhoto(in: context, using: &generator)
            photo.takenAt = place
            return
        }
        switch Int.random(in: 0..<27, using: &generator) {
        case 0..<3 where photos.count < 25:
            try RandomWorld.makePhoto(in: context, using: &generator)
        case 0..<4: context.delete(photo)
        case 4: context.delete(try RandomWorld.makePhoto(in: context, using: &generator))
        case 5..<8: photo.title = RandomWorld.title(&generator)
        case 8..<11: photo.views = Int.random(in: 0..<10, using: &generator)
        case 11, 12: photo.isFavorite.toggle()
        case 13, 14: photo.date = RandomWorld.date(&generator)
        case 15..<18: photo.takenAt = Bool.random(using: &generator) ? place : nil
        case 18: place.photos.insert(photo)
        case 19: place.name = RandomWorld.title(&generator)
        case 20: place.country = RandomWorld.country(&generator)
        case 21: context.delete(place)
        case 22: _ = RandomWorld.makePlace(in: context, using: &generator)
        case 23:
            let newest = FetchRequest<Photo>(
                predicate: #Predicate { $0.views > 3 }, sortBy: [SortDescriptor(\.date)], limit: 2)
            try context.updateAll(newest) { $0.views -= 3 }
        case 24: try context.updateAll(Photo.self, where: "title == %@", "Bay") { $0.takenAt = nil }
        case 25:
            try context.deleteAll(
                FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)], limit: 1, offset: 2))
        default:
            // Comes to nothing.
            let (title, isFavorite) = (photo.title, photo.isFavorite)
            photo.title += "x"
            photo.isFavorite.toggle()
            photo.title = title
            photo.isFavorite = isFavorite
        }
    }

    @discardableResult
    private static func makePhoto(
        in context: ManagedObjectContext, using generator: inout SeededGenerator
    ) throws -> Photo {
        let photo = Photo(context: context)
        photo.title = title(&generator)
        photo.views = Int.random(in: 0..<10, using: &generator)
        photo.isFavorite = Bool.random(using: &generator)
        photo.date = date(&generator)
        photo.takenAt = Array(try context.fetch(Place.self)).randomElement(using: &generator)
        return photo
    }

    private static func makePlace(
        in context: ManagedObjectContext, using generator: inout SeededGenerator
    ) -> Place {
        let place = Place(context: context)
        place.name = title(&generator)
        place.country = country(&generator)
        return place
    }

    private static func title(_ generator: inout SeededGenerator) -> String {
        ["Arch", "Bay", "Bridge", "Castle", "Cave", "Dome"].randomElement(using: &generator) ?? ""
    }

    private static func country(_ generator: inout SeededGenerator) -> String? {
        ["France", "Italy", "", nil].randomElement(using: &generator) ?? nil
    }

    private static func date(_ generator: inout SeededGenerator) -> Date? {
        Bool.random(using: &generator)
            ? Date(timeIntervalSinceReferenceDate: Double.random(in: 0...5, using: &generator))
            : nil
    }
}
