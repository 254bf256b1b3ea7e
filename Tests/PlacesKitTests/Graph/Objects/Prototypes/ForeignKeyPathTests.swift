import Foundation
import PlacesKit
import Testing

/// What types of one's own that refuse or change some of what others have are asked for by their key paths.
@Suite struct ForeignKeyPathTests {
    /// Refuses what is no angle.
    struct Heading: AttributeValue, Codable, Comparable {
        var degrees = 0.0

        init(_ degrees: Double) { self.degrees = degrees }
        init?(stored: Double) {
            guard (0..<360).contains(stored) else { return nil }
            degrees = stored
        }

        var stored: Double { degrees }
        var opposite: Heading { Heading((degrees + 180).truncatingRemainder(dividingBy: 360)) }

        static func < (left: Self, right: Self) -> Bool { left.degrees < right.degrees }
    }

    /// Has small letters whatever it is made from.
    struct Email: AttributeValue, Codable {
        let text: String

        init(_ text: String) { self.text = text.lowercased() }
        init(stored: String) { self.init(stored) }

        var stored: String { text }
        var domain: Email { Email(text.components(separatedBy: "@").last ?? "") }
    }

    /// Has whole cents.
    struct Price: AttributeValue, Codable {
        var cents: Int

        init(cents: Int) { self.cents = cents }
        init(stored: Decimal) {
            let cents = NSDecimalNumber(decimal: stored * 100).doubleValue.rounded()
            self.cents = cents.magnitude < 1e15 ? Int(cents) : 0
        }

        var stored: Decimal { Decimal(cents) / 100 }
    }

    /// One of twelve.
    struct Hue: RawRepresentable, AttributeValue, Codable {
        let rawValue: Int

        init?(rawValue: Int) {
            guard (0..<12).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    /// Does not list its cases.
    enum Mood: String, AttributeValue, Codable {
        case calm, wild

        var other: Mood { self == .calm ? .wild : .calm }
    }

    final class Thing<Value: AttributeValue & Codable>: ManagedObject {
        @Attribute(.unique) var key: Value?
        @Attribute(.indexed) var value: Value?
        @Attribute var number = 0

        override class var constraints: [EntityConstraint] {
            [.unique(\Thing<Value>.number, \Thing<Value>.value)]
        }
    }

    private func check<Value: AttributeValue & Codable>(_ first: Value, _ second: Value) throws {
        let context = ManagedObjectContext(try GraphStore(model: [Thing<Value>.self]))
        let things = try context.findOrInsert(Thing<Value>.self, \.key, in: [first, second])
        for (number, thing) in things.enumerated() { thing.number = number }
        for number in 2..<100 {
            let thing = Thing<Value>(context: context)
            (thing.number, thing.value) = (number, number == 7 ? first : second)
        }
        try context.save()
        #expect(try context.find(Thing<Value>.self, \.key, second)?.number == 1)
        #expect(try context.findOrInsert(Thing<Value>.self, \.key, first).number == 0)
        let request = FetchRequest<Thing<Value>>(predicate: #Predicate { $0.value == first })
        #expect(try context.count(request) == 1)
        let explanation = try request.explain(in: context)
        #expect(explanation.notCompiled.isEmpty)
        #expect(explanation.steps.contains { $0.text.hasPrefix("index of") }, "\(explanation)")
        #expect(try context.values(of: \Thing<Value>.value).compactMap(\.self).count == 98)
        let double = Thing<Value>(context: context)
        (double.number, double.value) = (7, first)
        #expect(throws: ContextError.self) { try context.save() }
    }

    @Test func `what is unique is found, what is indexed is compared, and combinations are unique`()
        throws
    {
        try check(Heading(359), Heading(1))
        try check(Email("A@b.org"), Email("c@d.org"))
        try check(Price(cents: 199), Price(cents: 5))
        try check(try #require(Hue(rawValue: 3)), try #require(Hue(rawValue: 11)))
        try check(Mood.wild, .calm)
    }

    final class Owner: ManagedObject {
        @Relationship var members: ObjectSet<Member>
        @Derived(countDistinct: \Owner.members, \Member.email) var emails: Int
        @Derived(max: \Owner.members, \Member.heading) var greatest: Heading?
    }

    final class Member: ManagedObject {
        @Attribute var email: Email?
        @Attribute var heading = Heading(7)
        @Attribute var mood = Mood.calm
        @Attribute var number = 0
        @Relationship(inverse: \Owner.members) var owner: Owner?
        @Relationship(inverse: \Member.followers) var leader: Member?
        @Relationship var followers: ObjectSet<Member>
        @Derived(from: \Member.number, by: { $0 > 1 ? Sky.blue : .grey }) var sky: Sky

        var opposite: Heading { heading.opposite }
        var domain: Email? { email?.domain }
        var otherMood: Mood { mood.other }
        var isBlue: Bool { sky == .blue }
    }

    /// Has no value in a store but as a derived one.
    enum Sky: String, AttributeValue, Codable { case blue, grey }

    private func members() throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Owner.self, Member.self]))
        let owner = Owner(context: context)
        var leader: Member?
        for (number, email) in ["a@x.org", "A@X.org", "b@x.org"].enumerated() {
            let member = Member(context: context)
            (member.number, member.email, member.owner) = (number, Email(email), owner)
            (member.leader, member.heading) = (leader, Heading(Double(number) * 100))
            member.mood = number == 0 ? .wild : .calm
            leader = member
        }
        try context.save()
        return context
    }

    @Test func `what is derived from such values follows them`() throws {
        let owner = try #require(try members().fetch(Owner.self).first)
        #expect(owner.emails == 2)
        #expect(owner.greatest == Heading(200))
    }

    private func numbers(
        _ predicate: Predicate<Member>, in context: ManagedObjectContext
    ) throws -> [Int] {
        try context.fetch(FetchRequest(predicate: predicate)).map(\.number)
    }

    @Test func `a computed property is not taken for the attribute that it reads`() throws {
        let context = try members()
        let (heading, email, mood) = (Heading(280), Email("x.org"), Mood.wild)
        #expect(try numbers(#Predicate { $0.opposite == heading }, in: context) == [1])
        #expect(try numbers(#Predicate { $0.domain == email }, in: context) == [0, 1, 2])
        #expect(try numbers(#Predicate { $0.otherMood == mood }, in: context) == [1, 2])
        #expect(try numbers(#Predicate { $0.mood == mood }, in: context) == [0])
    }

    @Test func `a value along a relationship is found, whether its type has values to try or not`()
        throws
    {
        let context = try members()
        let (heading, mood) = (Heading(100), Mood.wild)
        #expect(try numbers(#Predicate { $0.leader?.heading == heading }, in: context) == [2])
        #expect(try numbers(#Predicate { $0.leader?.mood == mood }, in: context) == [1])
    }

    @Test func `a derived value of a type without a blank may be asked for`() throws {
        let context = try members()
        let sky = Sky.blue
        #expect(try numbers(#Predicate { $0.sky == sky }, in: context) == [2])
        #expect(try numbers(#Predicate { $0.isBlue }, in: context) == [2])
    }

    @Test func `a value that its type refuses is sorted before the others`() throws {
        let context = try members()
        let wrong = Member(context: context)
        (wrong.number, wrong.heading) = (3, Heading(400))
        let request = FetchRequest<Member>(sortBy: [SortDescriptor(\.heading, order: .reverse)])
        #expect(try context.fetch(request).map(\.number) == [2, 1, 0, 3])
    }

    struct Course: CompositeAttribute {
        var heading = Direction(1)
        static let parts: [CompositePart<Course>] = [.part("heading", \.heading)]
    }

    /// Has not even a blank.
    struct Direction: AttributeValue {
        var degrees: Double
        init(_ degrees: Double) { self.degrees = degrees }
        init?(stored: Double) {
            guard (1...360).contains(stored) else { return nil }
            degrees = stored
        }
        var stored: Double { degrees }
    }

    final class Ship: ManagedObject {
        @Attribute var number = 0
        @Composite var course: Course?
    }

    @Test func `a composite attribute that is missing is nil, though a part has no blank`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Ship.self]))
        let ship = Ship(context: context)
        #expect(ship.course == nil)
        ship.course = Course(heading: Direction(90))
        let request = try FetchRequest<Ship>(where: "course.heading == 90")
        #expect(try context.fetch(request).map(\.course?.heading.degrees) == [90])
        #expect(try context.values(of: \Ship.course?.heading) == [Direction(90)])
    }
}
