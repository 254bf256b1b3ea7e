import Foundation
import PlacesKit
import Testing

@Suite struct ReachabilityTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    private func citizens(_ names: String) -> [Citizen] {
        names.map { context.citizen(String($0)) }
    }

    private func names(_ citizens: some Sequence<Citizen>) -> String {
        citizens.map(\.name).joined()
    }

    // MARK: - One relationship

    @Test func `members to any depth are reached, nearest first`() throws {
        let all = citizens("abcdefg")
        for (ward, guardian) in [(1, 0), (2, 0), (3, 1), (4, 3), (5, 2)] {
            all[ward].guardian = all[guardian]
        }
        #expect(names(try context.reachable(from: all[0], along: \.wards)) == "bcdfe")
        #expect(names(try context.reachable(from: all[0], along: \.wards, depth: 1)) == "bc")
        #expect(names(try context.reachable(from: all[0], along: \.wards, depth: 2)) == "bcdf")
        #expect(names(try context.reachable(from: all[0], along: \.wards, depth: 0)) == "")
        #expect(names(try context.reachable(from: all[0], along: \.wards, depth: -3)) == "")
        #expect(names(try context.reachable(from: all[4], along: \.guardian)) == "dba")
        #expect(names(try context.reachable(from: all[6], along: \.wards)) == "")
    }

    @Test func `a cycle ends, and leads back to where it began`() throws {
        let all = citizens("abc")
        for (ward, guardian) in [(1, 0), (2, 1), (0, 2)] { all[ward].guardian = all[guardian] }
        #expect(names(try context.reachable(from: all[0], along: \.wards)) == "bca")
        #expect(names(try context.reachable(from: all[0], along: \.wards, depth: 2)) == "bc")
        all[0].guardian = all[0]
        #expect(names(try context.reachable(from: all[0], along: \.guardian)) == "a")
    }

    @Test(arguments: 0..<4) func `of many objects the nearer ones come first, each once`(
        seed: Int
    ) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let all = (0..<700).map { context.citizen("\($0)") }
        let clubs = (0..<900).map { Club("\($0)", in: context) }
        for club in clubs {
            for _ in 0..<2 {
                club.members.insert(all[Int.random(in: 0..<700, using: &random)])
            }
        }
        for ward in all.dropFirst() where Bool.random(using: &random) {
            ward.guardian = all[Int.random(in: 0..<700, using: &random)]
        }
        let walk = Reachability<Citizen>(
            from: [all[0].objectID],
            along: [\Citizen.clubs, \Club.members, \Citizen.wards, \Citizen.guardian])
        let reached = Array(try context.reachable(walk))
        #expect(Set(reached).count == reached.count)
        // How many steps lead to each, told by a walk of that many steps.
        var (steps, nearer): ([Citizen: Int], Set<Citizen>) = ([:], [])
        for depth in 1...60 {
            var walk = walk
            walk.depth = depth
            let within = Set(try context.reachable(walk))
            for citizen in within.subtracting(nearer) { steps[citizen] = depth }
            #expect(within.isSuperset(of: nearer), "seed \(seed)")
            nearer = within
        }
        let distances = reached.map { steps[$0] ?? .max }
        #expect(distances == distances.sorted(), "seed \(seed)")
    }

    // MARK: - Several

    @Test func `several relationships are followed together`() throws {
        let all = citizens("abcd")
        (all[1].guardian, all[2].guardian, all[3].guardian) = (all[0], all[1], all[0])
        #expect(names(try context.reachable(from: all[2], along: \.guardian, \.wards)) == "bacd")
    }

    @Test func `a walk may lead through other classes`() throws {
        let all = citizens("abcde")
        let (chess, choir) = (Club("Chess", in: context), Club("Choir", in: context))
        for member in all[0...2] { chess.members.insert(member) }
        for member in all[2...3] { choir.members.insert(member) }
        func reached(_ depth: Int?) throws -> Set<String> {
            let walk = Reachability<Citizen>(
                from: [all[0].objectID], along: [\Citizen.clubs, \Club.members], depth: depth)
            return Set(try context.reachable(walk).map(\.name))
        }
        #expect(try reached(1) == [])
        #expect(try reached(2) == ["a", "b", "c"])
        #expect(try reached(3) == ["a", "b", "c"])
        #expect(try reached(nil) == ["a", "b", "c", "d"])
        let clubs = Reachability<Club>(
            from: [all[0].objectID], along: [\Citizen.clubs, \Club.members])
        #expect(try context.reachable(clubs).map(\.title) == ["Chess", "Choir"])
    }

    @Test func `of a hierarchy only objects of the class are told`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Branch.self, Twig.self]))
        let root = Branch(context: context)
        let (twig, branch) = (Twig(context: context), Branch(context: context))
        (twig.parent, branch.parent) = (root, twig)
        #expect(try Array(context.reachable(from: root, along: \.children)) == [twig, branch])
        let twigs = Reachability<Twig>(from: root, along: \.children)
        #expect(try Array(context.reachable(twigs)) == [twig])
    }

    @Test func `what is no relationship, or no object, is told`() throws {
        let citizen = context.citizen("a")
        #expect(throws: ContextError.self) {
            try context.reachable(from: citizen, along: \.name)
        }
        #expect(throws: ContextError.self) {
            try context.reachable(from: citizen, along: \.guardian?.guardian)
        }
        let elsewhere = Reachability<Citizen>(
            from: [citizen.objectID], along: [\Branch.children])
        #expect(throws: ContextError.self) { try context.reachable(elsewhere) }
        var request = FetchRequest<Citizen>()
        request.reachable = elsewhere
        #expect(throws: ContextError.self) { try context.fetch(request) }
        #expect(throws: ContextError.self) { try FetchedResultsController(request, in: context) }
        let ward = context.citizen("b")
        ward.guardian = citizen
        let id = citizen.objectID
        context.delete(citizen)
        let gone = Reachability<Citizen>(from: [id], along: [\Citizen.wards])
        #expect(try context.reachable(gone).isEmpty)
    }

    // MARK: - In a request

    @Test func `a request asks for what is reached besides all else`() throws {
        let all = citizens("abcdefgh")
        for number in 1..<7 { all[number].guardian = all[(number - 1) / 2] }
        all[3].age = 70
        var request = FetchRequest<Citizen>(
            predicate: #Predicate { $0.age < 60 }, sortBy: [SortDescriptor(\.name, order: .reverse)]
        )
        request.reachable = Reachability(from: all[1], along: \.wards)
        #expect(names(try context.fetch(request)) == "e")
        request.predicate = nil
        #expect(names(try context.fetch(request)) == "ed")
        #expect(try context.count(request) == 2)
        request.reachable?.origins = [all[0].objectID]
        request.limit = 3
        #expect(names(try context.fetch(request)) == "gfe")
        #expect("\(try request.explain(in: context))".contains("rows"))
        try context.save()
        let snapshot = context.store.snapshot()
        #expect(try snapshot.count(request) == 3)
    }

    /// The objects that a naive walk comes to.
    private func walk(
        from origin: Citizen, _ depth: Int, _ next: (Citizen) -> [Citizen]
    ) -> Set<String> {
        var (found, front): (Set<Citizen>, Set<Citizen>) = ([], [origin])
        for _ in 0..<depth {
            front = Set(front.flatMap(next)).subtracting(found)
            found.formUnion(front)
        }
        return Set(found.map(\.name))
    }

    @Test(arguments: 0..<12) func `live results follow what is reached`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let all = (0..<24).map { context.citizen("\($0)") }
        let clubs = (0..<5).map { Club("\($0)", in: context) }
        var wards = FetchRequest<Citizen>(sortBy: [SortDescriptor(\.name)])
        wards.reachable = Reachability(from: all[0], along: \.wards)
        var young = wards
        young.predicate = #Predicate { $0.age < 40 }
        young.reachable?.depth = 3
        var circle = FetchRequest<Citizen>(sortBy: [SortDescriptor(\.name)])
        circle.reachable = Reachability(
            from: [all[0].objectID], along: [\Citizen.clubs, \Club.members], depth: 4)
        let requests = [wards, young, circle]
        let lists = try requests.map { try FetchedResultsController($0, in: context) }
        for _ in 0..<120 {
            let citizen = all.randomElement(using: &random) ?? all[0]
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: citizen.guardian = all.randomElement(using: &random)
            case 4: citizen.guardian = nil
            case 5: citizen.age = .random(in: 20..<60, using: &random)
            case 6...8:
                let club = clubs[Int.random(in: 0..<5, using: &random)]
                if !club.members.remove(citizen) { club.members.insert(citizen) }
            default:
                if Bool.random(using: &random) { try context.save() } else { context.rollback() }
            }
            context.processPendingChanges()
            for (list, request) in zip(lists, requests) {
                let listed = list.objects.map(\.name)
                #expect(try listed == context.fetch(request).map(\.name), "seed \(seed)")
            }
            guard !all[0].isDeleted else { return }
            #expect(
                Set(lists[0].objects.map(\.name))
                    == walk(from: all[0], 30) { Array($0.wards) }, "seed \(seed)")
            #expect(
                Set(lists[2].objects.map(\.name))
                    == walk(from: all[0], 2) { $0.clubs.flatMap { Array($0.members) } },
                "seed \(seed)")
        }
    }

    @Test func `a deleted object that others lead to is not reached, and what lies behind it is`()
        throws
    {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        let (room, near, far) = (
            Room(context: context), Shelf(context: context), Shelf(context: context)
        )
        (near.room, far.room) = (room, room)
        try context.save()
        // Which a save would refuse.
        context.delete(room)
        let rooms = Reachability<Room>(from: [near.objectID], along: [\Shelf.room])
        let shelves = Reachability<Shelf>(
            from: [near.objectID], along: [\Shelf.room, \Room.shelves])
        var requests = (FetchRequest<Room>(), FetchRequest<Shelf>())
        (requests.0.reachable, requests.1.reachable) = (rooms, shelves)
        #expect(try context.reachable(rooms).isEmpty)
        #expect(try context.fetch(requests.0).isEmpty)
        #expect(Set(try context.reachable(shelves)) == [near, far])
        #expect(Set(try context.fetch(requests.1)) == [near, far])
        context.rollback()
        #expect(Array(try context.reachable(rooms)) == [room])
    }

    @Test func `live results follow what others committed, and objects that come and go`() throws {
        let root = context.citizen("r")
        try context.save()
        var request = FetchRequest<Citizen>(sortBy: [SortDescriptor(\.name)])
        request.reachable = Reachability(from: root, along: \.wards)
        let list = try FetchedResultsController(request, in: context)
        #expect(list.objects.isEmpty)
        let other = ManagedObjectContext(context.store)
        let (a, b) = (other.citizen("a"), other.citizen("b"))
        a.guardian = try other.twin(of: root)
        b.guardian = a
        try other.save(shownTo: context)
        #expect(names(list.objects) == "ab")
        other.delete(a)
        try other.save(shownTo: context)
        #expect(list.objects.isEmpty)
    }
}

class Branch: ManagedObject {
    @Relationship(inverse: \Branch.parent) var children: ObjectSet<Branch>
    @Relationship var parent: Branch?
}

final class Twig: Branch {}
