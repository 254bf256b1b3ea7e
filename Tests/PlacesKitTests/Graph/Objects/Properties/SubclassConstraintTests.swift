import PlacesKit
import PlacesKitTesting
import Testing

/// What a subclass says is unique holds for its objects, and not for others of the hierarchy.
@Suite struct SubclassConstraintTests {
    class Place: ManagedObject {
        @Attribute var title: String?
        @Attribute var kind = 0
        @Attribute var note = ""
    }

    class City: Place {
        override class var constraints: [EntityConstraint] {
            [.unique(\City.title, \City.kind, onClash: .update)]
        }
    }

    final class Capital: City {}
    final class Lake: Place {}

    class Team: ManagedObject {
        @Attribute var name = ""
        @Relationship var players: ObjectSet<Player>
    }

    final class Pro: Team {
        @Derived(sum: \Pro.players, \Player.goals, .unique) var goals: Int
        @Derived(count: \Pro.players) var size: Int

        override class var constraints: [EntityConstraint] { [.unique(\Pro.size, \Pro.name)] }
    }

    final class Amateur: Team {
        @Derived(max: \Amateur.players, \Player.goals, .unique) var best: Int?
    }

    final class Player: ManagedObject {
        @Attribute var goals = 0
        @Relationship(inverse: \Team.players) var team: Team?
    }

    let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [
                Place.self, City.self, Capital.self, Lake.self, Team.self, Pro.self, Amateur.self,
                Player.self,
            ]))
    }

    @discardableResult
    private func insert<Object: Place>(_ type: Object.Type, note: String = "") -> Object {
        let place = type.init(context: context)
        (place.title, place.note) = ("Blue", note)
        return place
    }

    private var counts: [Int] {
        get throws {
            [
                try context.count(FetchRequest<Place>()), try context.count(FetchRequest<City>()),
                try context.count(FetchRequest<Capital>()),
                try context.count(FetchRequest<Lake>()),
            ]
        }
    }

    @Test func `objects of other classes share what a subclass says is unique`() throws {
        for _ in 0..<2 {
            insert(Lake.self)
            insert(Place.self)
        }
        insert(City.self)
        try context.save()
        #expect(try counts == [5, 1, 0, 2])
        try context.checkIntegrity()
        insert(Lake.self)
        insert(City.self, note: "again")
        try context.save()
        #expect(try counts == [6, 1, 0, 3])
        #expect(try context.fetch(City.self).first?.note == "again")
        try context.checkIntegrity()
    }

    @Test func `what a subclass says is unique holds for its own subclasses`() throws {
        for _ in 0..<2 { insert(Capital.self) }
        insert(Lake.self)
        try context.save()
        #expect(try counts == [2, 1, 1, 1])
        // It does not become one of another class.
        let city = insert(City.self)
        #expect(throws: ContextError.self) { try context.save() }
        city.kind = 1
        try context.save()
        #expect(try counts == [3, 2, 1, 1])
        try context.checkIntegrity()
    }

    @Test func `objects that come back are told apart as before`() throws {
        context.isUndoEnabled = true
        let (city, lake) = (insert(City.self), insert(Lake.self))
        try context.save()
        context.delete(city)
        context.delete(lake)
        try context.save()
        context.undo()
        #expect(try counts == [2, 1, 0, 1])
        try context.checkIntegrity()
        try context.save()
        let other = ManagedObjectContext(context.store)
        City(context: other).title = "Blue"
        Lake(context: other).title = "Blue"
        try other.save(shownTo: context)
        #expect(try counts == [3, 1, 0, 2])
        try context.checkIntegrity()
    }

    /// A team whose players score so many goals.
    @discardableResult
    private func team<Object: Team>(_ type: Object.Type, _ goals: Int...) -> Object {
        let team = type.init(context: context)
        for number in goals {
            let player = Player(context: context)
            (player.goals, player.team) = (number, team)
        }
        return team
    }

    @Test func `what a subclass derives is unique among its objects`() throws {
        for _ in 0..<2 {
            team(Team.self)
            team(Team.self, 7)
            team(Amateur.self)
        }
        team(Amateur.self, 3, 0)
        team(Amateur.self, 2, 1)
        let pros = [team(Pro.self), team(Pro.self, 3), team(Pro.self, 7)]
        for (number, pro) in pros.enumerated() { pro.name = "\(number)" }
        try context.save()
        for (pro, goals) in zip(pros, [0, 3, 7]) {
            #expect(try context.find(Pro.self, \.goals, goals) === pro)
        }
        try context.checkIntegrity()
        let rival = team(Pro.self, 1, 2)
        #expect(throws: ContextError.self) { try context.save() }
        rival.players.first?.goals = 2
        try context.save()
        #expect(try context.find(Pro.self, \.goals, 4) === rival)
        for pro in pros { context.delete(pro) }
        try context.save()
        #expect(try context.find(Pro.self, \.goals, 7) == nil)
        try context.checkIntegrity()
    }

    @Test func `a combination with what a subclass derives holds for its objects`() throws {
        for type in [Team.self, Amateur.self, Pro.self] as [Team.Type] {
            team(type, 1)
        }
        team(Team.self, 2)
        team(Amateur.self, 2)
        try context.save()
        try context.checkIntegrity()
        team(Pro.self, 2)
        #expect(throws: ContextError.self) { try context.save() }
    }
}
