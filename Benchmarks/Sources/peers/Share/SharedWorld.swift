import Foundation
import PlacesKit
import PlacesPostgres

/// Members that share documents by PostgreSQL, each in a folder of its own.
@MainActor
struct SharedWorld {
    /// How a document is shared that one member changes.
    enum Sharing: String, CaseIterable {
        /// It is not shared.
        case alone
        /// Commits wait in its folder for the log.
        case outbox
        /// Commits go to the log at the same time.
        case placeskit
    }

    private let folder: URL

    nonisolated init(in folder: URL) { self.folder = folder }

    private func open(
        _ name: String, of document: String, _ sharing: Sharing = .placeskit
    ) async throws -> ManagedDocument {
        var options = ManagedDocument.Options()
        options.autosave = nil
        options.synchronizesByItself = sharing == .placeskit
        let (url, model) = (
            folder.appending(path: "\(document)-\(name)"), [Photo.self, Place.self]
        )
        return sharing == .alone
            ? try await ManagedDocument.open(at: url, model: model, options: options)
            : try await ManagedDocument.open(
                at: url, model: model, options: options,
                sharing: try PostgresSharedLog(document: document))
    }

    /// The median time of something, in microseconds, after some times that warm up.
    private func median(
        of count: Int, _ body: @MainActor (Int) async throws -> Void
    ) async throws -> Double {
        var times: [Duration] = []
        for number in 0..<count + 50 {
            let start = ContinuousClock.now
            try await body(number)
            if number >= 50 { times.append(ContinuousClock.now - start) }
        }
        return times.median
    }

    /// A name that no document has.
    private func unusedName() -> String { UUID().uuidString }

    private static func insert(_ id: String, _ store: GraphStore) async throws {
        try await store.perform { context in
            let photo = Photo(context: context)
            photo.uniqueID = id
            photo.title = "The photo of number \(id)"
            try context.save()
        }
    }

    /// Saves that do not wait for the log, of a document that is shared or not: the time of one, in microseconds.
    func saveLocally(
        _ count: Int, _ durability: ManagedDocument.Durability, _ sharing: Sharing
    ) async throws -> Double {
        let name = unusedName()
        let document = try await open("a", of: name, sharing)
        let photo = Photo(context: document.viewContext)
        photo.uniqueID = name
        let median = try await median(of: count) { number in
            photo.title = "Another title, of number \(number)"
            try await document.save(durability: durability)
        }
        try await document.close()
        return median
    }

    /// One save of many new objects: the time of one object, in microseconds.
    func insertLocally(_ count: Int, _ sharing: Sharing) async throws -> Double {
        let document = try await open("a", of: unusedName(), sharing)
        let context = document.viewContext
        let start = ContinuousClock.now
        for number in 0..<count {
            let photo = Photo(context: context)
            photo.uniqueID = "\(number)"
            photo.title = "The photo of number \(number)"
        }
        try context.save()
        let time = (ContinuousClock.now - start) / .microseconds(1)
        try await document.close()
        return time / Double(count)
    }

    /// Saves of one object each in a list of many, which is told of them: the time of one, in microseconds.
    func updateListLocally(_ count: Int, of all: Int, _ sharing: Sharing) async throws -> Double {
        let document = try await open("a", of: unusedName(), sharing)
        let context = document.viewContext
        let photos = (0..<all).map { number in
            let photo = Photo(context: context)
            photo.uniqueID = "\(number)"
            return photo
        }
        try await document.save(durability: .system)
        let list = try FetchedResultsController(
            FetchRequest<Photo>(sortBy: [SortDescriptor(\.views, order: .reverse)]), in: context)
        var changeCount = 0
        list.onChange = { _ in changeCount += 1 }
        let median = try await median(of: count) { number in
            photos[number * 7_919 % all].views = number * 31_337 % 100_000 + 1
            try context.save()
        }
        precondition(changeCount >= count, "the list was told of \(changeCount) saves")
        try await document.close()
        return median
    }

    /// Saves that wait for each other: the time of one, in microseconds.
    func saveInTurn(_ count: Int) async throws -> Double {
        let document = try await open("a", of: unusedName())
        let median = try await median(of: count) { number in
            try await Self.insert("\(number)", document.store)
            try await document.save(durability: .shared)
        }
        try await document.close()
        return median
    }

    /// Saves of members, of many tasks each, all of which are acknowledged: the time for one, in microseconds.
    func save(_ count: Int, members: Int, tasks: Int) async throws -> Double {
        try await time(count, members: members, tasks: tasks) { document, member, number in
            try await Self.insert("\(member)/\(number)", document.store)
        }
    }

    /// Saves of members that all write the same objects: the time for one, in microseconds.
    func update(_ count: Int, members: Int, tasks: Int) async throws -> Double {
        try await time(count, members: members, tasks: tasks) { document, member, number in
            try await document.store.perform { context in
                let photo = try context.findOrInsert(Photo.self, \.uniqueID, "\(number % 10)")
                photo.views = member * 1_000_000 + number
                context.mergePolicy = .mergeByPropertyObjectTrump
                try context.save()
            }
        }
    }

    private func time(
        _ count: Int, members: Int, tasks: Int,
        _ body: @escaping @MainActor (ManagedDocument, Int, Int) async throws -> Void
    ) async throws -> Double {
        let name = unusedName()
        var documents: [ManagedDocument] = []
        for member in 0..<members { documents.append(try await open("\(member)", of: name)) }
        let share = count / members / tasks + 1
        let start = ContinuousClock.now
        let saving = documents.enumerated().flatMap { member, document in
            (0..<tasks).map { task in
                Task {
                    for number in 0..<share {
                        try await body(document, member, task * share + number)
                        try await document.save(durability: .shared)
                    }
                }
            }
        }
        for task in saving { try await task.value }
        let time = (ContinuousClock.now - start) / .microseconds(1)
        for document in documents { try await document.close() }
        return time / Double(share * members * tasks)
    }

    /// How long after a save another member's live list tells of it, in milliseconds: the median, and 99 %.
    func delay(of count: Int, aSecond rate: Int) async throws -> (median: Double, late: Double) {
        let name = unusedName()
        let (writer, reader) = (
            try await open("writer", of: name), try await open("reader", of: name)
        )
        let list = try FetchedResultsController(
            FetchRequest<Photo>(sortBy: [SortDescriptor(\.uniqueID)]), in: reader.viewContext)
        var changes = list.changes.makeAsyncIterator()
        let store = writer.store
        let writing = Task.detached {
            let start = ContinuousClock.now
            for number in 0..<count {
                try await Task.sleep(
                    until: start + .seconds(1) * number / rate, clock: .continuous)
                try await store.perform { context in
                    let photo = Photo(context: context)
                    photo.uniqueID = "\(number)"
                    photo.views = Int(DispatchTime.now().uptimeNanoseconds)
                    try context.save()
                }
            }
        }
        var delays: [Double] = []
        while delays.count < count, let change = await changes.next() {
            let now = DispatchTime.now().uptimeNanoseconds
            for edit in change.difference.itemInserts {
                guard let photo = reader.viewContext.object(with: edit.identifier) as? Photo
                else { continue }
                delays.append((Double(now) - Double(photo.views)) / 1e6)
            }
        }
        try await writing.value
        try await writer.close()
        try await reader.close()
        let sorted = delays.dropFirst(count / 10).sorted()
        return (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    }

    /// What a commit takes of the time in which a member catches up that was away while others made some, in
    /// microseconds.
    func catchUp(with count: Int) async throws -> Double {
        let name = unusedName()
        try await open("away", of: name).close()
        let writer = try await open("writer", of: name)
        for number in 0..<count { try await Self.insert("\(number)", writer.store) }
        try await writer.save(durability: .shared)
        try await writer.close()
        let start = ContinuousClock.now
        let member = try await open("away", of: name)
        try await member.sharing?.synchronize()
        let time = (ContinuousClock.now - start) / .microseconds(1)
        let photos = try member.viewContext.count(Photo.self)
        precondition(photos == count, "the member has \(photos) of \(count) photos")
        try await member.close()
        return time / Double(count)
    }
}
