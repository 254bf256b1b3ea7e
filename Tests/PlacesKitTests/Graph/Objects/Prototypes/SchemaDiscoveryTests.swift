import Foundation
import PlacesKit
import Testing

/// What a model learns from the property wrappers of its classes.
@Suite struct SchemaDiscoveryTests {
    enum Shade: String, CaseIterable, AttributeValue { case dark, light }

    final class Everything: ManagedObject {
        @Attribute var boolean: Bool
        @Attribute var int: Int
        @Attribute var int8: Int8
        @Attribute var int16: Int16
        @Attribute var int32: Int32
        @Attribute var int64: Int64
        @Attribute var uint8: UInt8
        @Attribute var uint16: UInt16
        @Attribute var uint32: UInt32
        @Attribute var float: Float
        @Attribute var double: Double
        @Attribute var string: String
        @Attribute var date: Date
        @Attribute var uuid: UUID
        @Attribute var url: URL
        @Attribute var data: Data
        @Attribute var shade: Shade
        @Attribute var maybe: Int16?
        @Attribute var maybeShade: Shade?
        @Attribute var `class` = "quoted"
        @Attribute(.unique) var unique: String?
        @Attribute(.unique) var uniqueDefault = 9
        @Attribute var defaultDate = Date(timeIntervalSinceReferenceDate: 1)
        @Attribute var defaultShade = Shade.light
        @Attribute var explicitNil: Data? = nil
        @Attribute var maybeDefault: Double? = 2.5
        @Attribute var `default` = URL(filePath: "/tmp/a b")
        @Attribute private var hidden = true
        let ignored = 3
        var computed: Int { 4 }
    }

    private func attribute(_ name: String) throws -> AttributeDescription {
        let schema = try ObjectModel([Everything.self]).schema
        return try #require(schema.entities[0].attributes.first { $0.name == name })
    }

    @Test func `attributes have the names of their properties, in their order`() throws {
        let names = try ObjectModel([Everything.self]).schema.entities[0].properties.map(\.name)
        #expect(
            names == [
                "boolean", "int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
                "float", "double", "string", "date", "uuid", "url", "data", "shade", "maybe",
                "maybeShade", "class", "unique", "uniqueDefault", "defaultDate", "defaultShade",
                "explicitNil", "maybeDefault", "default", "hidden",
            ])
    }

    @Test func `attributes have the types of their properties`() throws {
        let types: [String: AttributeType] = [
            "boolean": .boolean, "int": .int64, "int8": .int8, "int16": .int16, "int32": .int32,
            "int64": .int64, "uint8": .uint8, "uint16": .uint16, "uint32": .uint32,
            "float": .float, "double": .double, "string": .string, "date": .date, "uuid": .uuid,
            "url": .url, "data": .data, "shade": .string, "maybe": .int16, "maybeShade": .string,
        ]
        for (name, type) in types { #expect(try attribute(name).type == type, "\(name)") }
    }

    @Test func `only optional properties are optional attributes`() throws {
        let entity = try ObjectModel([Everything.self]).schema.entities[0]
        #expect(
            entity.attributes.filter(\.isOptional).map(\.name) == [
                "maybe", "maybeShade", "unique", "explicitNil", "maybeDefault",
            ])
    }

    @Test func `defaults are those of the properties`() throws {
        #expect(try attribute("int").defaultValue == nil)
        #expect(try attribute("maybe").defaultValue == .null)
        #expect(try attribute("explicitNil").defaultValue == .null)
        #expect(try attribute("class").defaultValue == .string("quoted"))
        #expect(try attribute("uniqueDefault").defaultValue == .integer(9))
        #expect(
            try attribute("defaultDate").defaultValue
                == .date(Date(timeIntervalSinceReferenceDate: 1)))
        #expect(try attribute("defaultShade").defaultValue == .string("light"))
        #expect(try attribute("maybeDefault").defaultValue == .double(2.5))
        #expect(try attribute("default").defaultValue == .string("file:///tmp/a%20b"))
        #expect(try attribute("hidden").defaultValue == .boolean(true))
    }

    @Test func `unique attributes are those declared so`() throws {
        let entity = try ObjectModel([Everything.self]).schema.entities[0]
        #expect(entity.attributes.filter(\.isUnique).map(\.name) == ["unique", "uniqueDefault"])
    }

    @Test func `an enum lists the values it allows`() throws {
        #expect(try attribute("shade").allowedValues == [.string("dark"), .string("light")])
        #expect(try attribute("maybeShade").allowedValues == [.string("dark"), .string("light")])
        #expect(try attribute("string").allowedValues == nil)
    }

    @Test func `relationships have destinations, rules and inverses of both sides`() throws {
        let schema = try ObjectModel(TownModel.types).schema
        let relationships = schema.entities.flatMap { entity in
            entity.relationships.map {
                """
                \(entity.name).\($0.name) > \($0.destination).\($0.inverse ?? "-") \
                \($0.isToMany) \($0.deleteRule)
                """
            }
        }
        #expect(
            relationships == [
                "Land.towns > Town.land true cascade", "Town.land > Land.towns false nullify",
                "Town.residents > Citizen.home true nullify",
                "Town.mayor > Citizen.governs false nullify",
                "Citizen.home > Town.residents false nullify",
                "Citizen.governs > Town.mayor false nullify",
                "Citizen.wards > Citizen.guardian true cascade",
                "Citizen.guardian > Citizen.wards false nullify",
                "Citizen.clubs > Club.members true nullify",
                "Club.members > Citizen.clubs true nullify", "Club.halls > Hall.club true deny",
                "Club.patron > Land.- false nullify", "Hall.club > Club.halls false nullify",
            ])
    }

    @Test func `a model has the entities in the order of its classes`() throws {
        let model = try ObjectModel(TownModel.types)
        #expect(model.schema.entities.map(\.name) == ["Land", "Town", "Citizen", "Club", "Hall"])
        let club = model.schema.entity(named: "Club")
        #expect(club?.properties.firstIndex { $0.name == "patron" } == 3)
        #expect(model.schema.entity(named: "Cub") == nil)
    }

    // MARK: - Errors

    private func error(_ types: ManagedObject.Type...) -> SchemaError? {
        SchemaError.thrown { () throws(SchemaError) in _ = try GraphStore(model: types) }
    }

    enum Elsewhere {
        final class Land: ManagedObject { @Attribute var name: String }
    }

    final class Traveller: ManagedObject { @Relationship var home: Land? }

    class Vessel: ManagedObject { @Attribute var name = "" }
    final class Steamer: Vessel { @Attribute var power = 0 }
    class Plain: ManagedObject {}
    final class Derived: Plain { @Attribute var name = "" }

    final class Pair: ManagedObject {
        let wrappers = (Attribute<Int>(), Attribute<Int>())
        @Attribute var name = ""
    }

    /// Its mirror reads properties.
    class Shown: ManagedObject, CustomReflectable {
        @Attribute var title = ""
        var customMirror: Mirror { Mirror(self, children: ["title": title]) }
    }

    final class Heir: Shown { @Attribute var subtitle = "" }

    /// It remembers its objects from when they are made; only one test makes them.
    final class Remembered: ManagedObject {
        @Attribute var title = "untitled"
        @Attribute var number = 7
        nonisolated(unsafe) static var all: [Remembered] = []

        required init(_ seed: ObjectSeed) {
            super.init(seed)
            Self.all.append(self)
        }
    }

    /// While its first object is made, another thread makes a model of it; only one test makes its objects.
    final class Contested: ManagedObject {
        @Attribute var title = Contested.makeTitle()
        @Attribute var number = 7
        nonisolated(unsafe) static var all: [Contested] = []
        nonisolated(unsafe) static var fasterCount: Int?

        required init(_ seed: ObjectSeed) {
            super.init(seed)
            Self.all.append(self)
        }

        private static func makeTitle() -> String {
            guard fasterCount == nil else { return "untitled" }
            fasterCount = 0
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = try? GraphStore(model: [Contested.self])
                isDone.signal()
            }
            isDone.wait()
            fasterCount = all.count
            return "untitled"
        }
    }

    final class Crooked: ManagedObject {
        @Relationship(inverse: \Land.computedTowns) var land: Land?
    }

    @Test func `an empty model is refused`() {
        #expect(error() == .empty)
    }

    @Test func `a class that leads outside the model is refused`() {
        #expect(
            error(Hall.self)
                == .unknownDestination(entity: "Hall", relationship: "club", destination: "Club"))
    }

    @Test func `a class listed twice is refused`() {
        #expect(error(Hall.self, Hall.self, Club.self) == .duplicateEntity("Hall"))
    }

    @Test func `two classes of one name are refused`() {
        #expect(error(Everything.self, Elsewhere.Land.self, Land.self) == .duplicateEntity("Land"))
    }

    @Test func `a relationship that leads to a namesake of a class is refused`() {
        let error = error(Traveller.self, Elsewhere.Land.self)
        #expect(error?.description.contains("Traveller.home leads to PlacesKitTests.Land") == true)
        #expect(error?.description.contains("Elsewhere.Land") == true)
    }

    @Test func `a class may inherit from one without properties`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Derived.self]))
        let object = Derived(context: context)
        object.name = "own"
        #expect(object.name == "own")
    }

    @Test func `a class with a mirror of its own is refused`() {
        #expect(error(Shown.self) == .hiddenProperties("Shown"))
        #expect(error(Heir.self)?.description.contains("CustomReflectable") == true)
    }

    @Test func `an object that a class remembers from reading the model is readable`() throws {
        _ = try GraphStore(model: [Remembered.self])
        let first = try #require(Remembered.all.first)
        #expect(first.context == nil && !first.title.isEmpty && first.number != 0)
    }

    @Test func `it is readable also where another thread has read the model faster`() throws {
        _ = try GraphStore(model: [Contested.self])
        let fasterCount = try #require(Contested.fasterCount)
        let slower = try #require(Contested.all.dropFirst(fasterCount).first)
        #expect(fasterCount > 0 && slower.context == nil)
        #expect(!slower.title.isEmpty && slower.number != 0)
    }

    @Test func `a property without a readable name is refused`() {
        let error = error(Pair.self)
        #expect(error == .unnamedProperty(entity: "Pair", slot: 1))
        #expect(error?.description.contains("Property 1 of Pair has no name") == true)
    }

    @Test func `an inverse that is computed is refused`() {
        #expect(
            error(Crooked.self, Land.self, Town.self, Citizen.self, Club.self, Hall.self)
                == .unknownInverse(
                    entity: "Crooked", relationship: "land", inverse: "Land.an unknown property"))
    }
}

extension Land {
    /// Computed from more than one property.
    fileprivate var computedTowns: ObjectSet<Town> { name.isEmpty ? towns : towns }
}
