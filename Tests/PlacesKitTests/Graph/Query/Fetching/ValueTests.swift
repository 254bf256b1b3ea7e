import Foundation
import PlacesKit
import Testing

/// Values, identifiers and truths, compared with what the objects say.
@Suite struct ValueTests {
    @Test func `values of every kind of property are those of the objects`() throws {
        func check<Path: SpecimenPath>(
            _ path: Path, _ context: ManagedObjectContext, _ reader: any GraphReader,
            _ request: FetchRequest<Specimen>, _ note: String
        ) throws {
            let expected = try context.fetch(request).map { naiveName($0[keyPath: path.keyPath]) }
            let values = try reader.values(of: path.keyPath, for: request)
            #expect(values.map { naiveName($0) } == expected, "\(note) \(path)")
        }
        for seed in [UInt64(1), 2] {
            let world = try SpecimenWorld(seed: seed)
            let saved = world.store.snapshot().context()
            for request in [
                FetchRequest<Specimen>(),
                FetchRequest(
                    predicate: #Predicate<Specimen> { $0.flag },
                    sortBy: [SortDescriptor(\.maybeText, order: .reverse)], limit: 40, offset: 2),
            ] {
                for path in GroupTests.paths {
                    try check(path, world.context, world.context, request, "Seed \(seed)")
                    try check(
                        path, world.context, world.context.snapshot(), request, "Seed \(seed)")
                    try check(path, saved, world.store, request, "Seed \(seed), saved")
                }
            }
        }
    }

    @Test func `several values come as tuples`() throws {
        let world = try SpecimenWorld(seed: 3)
        let all = try world.specimens
        let values = try world.context.values(
            of: \Specimen.text, \.shelf?.name, \.maybeMood, \.shout, \.tags.count, \.objectID)
        try #require(values.count == all.count)
        for (specimen, value) in zip(all, values) {
            #expect(value.0 == specimen.text && value.1 == specimen.shelf?.name)
            #expect(value.2 == specimen.maybeMood && value.3 == specimen.shout)
            #expect(value.4 == specimen.tags.count && value.5 == specimen.objectID)
        }
    }

    @Test func `a broken chain that is unwrapped by force gives an empty value`() throws {
        let context = try SpecimenWorld(seed: 3, saved: 40).context
        let lone = FetchRequest<Specimen>(predicate: #Predicate { $0.shelf == nil }, limit: 1)
        #expect(try context.values(of: \.shelf!.name, for: lone) == [""])
        #expect(try context.values(of: \.shelf!.specimens.count, for: lone) == [0])
        let nobody = try #require(try context.values(of: \.shelf!.objectID, for: lone).first)
        #expect(context.object(with: nobody) == nil)
    }

    @Test func `identifiers, truths, counts and the first`() throws {
        for seed in [UInt64(1), 2] {
            let world = try SpecimenWorld(seed: seed)
            let context = world.context
            for bound in [-4, 0, 3, Int.max] {
                let request = FetchRequest<Specimen>(
                    predicate: #Predicate { $0.integer > bound }, sortBy: [SortDescriptor(\.text)])
                let expected = Array(try context.fetch(request))
                #expect(try context.identifiers(of: request) == expected.map(\.objectID))
                #expect(
                    try context.snapshot().identifiers(of: request) == expected.map(\.objectID))
                #expect(try context.exists(request) == !expected.isEmpty)
                #expect(try context.first(request) === expected.first)
                #expect(try context.count(request) == expected.count)
                var beyond = request
                beyond.offset = expected.count
                #expect(try !context.exists(beyond))
                #expect(try context.first(beyond) == nil)
                beyond.offset -= 1
                #expect(try context.exists(beyond) != expected.isEmpty)
                beyond.limit = 0
                #expect(try !context.exists(beyond))
                #expect(try context.first(beyond) == nil)
            }
        }
    }

    @Test func `a context's snapshot has its unsaved changes, and keeps them`() throws {
        let context = try TownModel.context()
        let land = context.land("Before")
        let snapshot = context.snapshot()
        land.name = "After"
        _ = context.land("Another")
        #expect(try snapshot.values(of: \Land.name) == ["Before"])
        #expect(try context.values(of: \Land.name) == ["After", "Another"])
        #expect(try context.store.values(of: \Land.name) == [])
        #expect(try snapshot.count(Land.self) == 1 && context.count(Land.self) == 2)
        try context.save()
        #expect(try context.store.values(of: \Land.name) == ["After", "Another"])
        #expect(try snapshot.context().fetch(Land.self).map(\.name) == ["Before"])
    }

    @Test func `a reader is asked off the actor, as of the call`() async throws {
        let context = try TownModel.context()
        for number in 0..<20 { context.land("Land \(number)").number = number }
        let request = FetchRequest<Land>(sortBy: [SortDescriptor(\.number, order: .reverse)])
        let names = try await context.read { snapshot in
            try snapshot.values(of: \.name, for: request)
        }
        #expect(names == (0..<20).reversed().map { "Land \($0)" })
        #expect(try await context.store.read { try $0.exists(request) } == false)
        try context.save()
        let total = try await context.store.read {
            try $0.aggregate(FetchRequest<Land>(), .sum(\.number))
        }
        #expect(total == 190)
        await #expect(throws: ContextError.unknownClass("Specimen")) {
            try await context.read { try $0.count(Specimen.self) }
        }
    }

    @Test func `a predicate that is not compiled is asked of a snapshot's objects`() throws {
        let world = try SpecimenWorld(seed: 4)
        let request = FetchRequest<Specimen>(predicate: #Predicate { $0.shout == "PLAIN" })
        let expected = try world.specimens.filter { $0.shout == "PLAIN" }.map(\.objectID)
        #expect(!expected.isEmpty)
        #expect(try world.context.snapshot().identifiers(of: request) == expected)
        #expect(try world.context.snapshot().count(request) == expected.count)
    }

    @Test func `format strings are asked of snapshots`() throws {
        let world = try SpecimenWorld(seed: 4)
        let request = try FetchRequest<Specimen>(where: "flag == YES AND tags.@count > 0")
        let expected = try world.specimens.filter { $0.flag && !$0.tags.isEmpty }.map(\.objectID)
        #expect(!expected.isEmpty)
        #expect(try world.context.snapshot().identifiers(of: request) == expected)
    }
}
