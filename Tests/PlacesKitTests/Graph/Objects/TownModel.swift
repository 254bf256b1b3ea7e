import Foundation
import PlacesKit

/// A small model with a relationship of every kind and every delete rule.
final class Land: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute(.unique) var number: Int?
    @Relationship(deleteRule: .cascade) var towns: ObjectSet<Town>
}

final class Town: ManagedObject {
    @Attribute var name = "Nameless"
    @Attribute var founded: Date?
    @Relationship(inverse: \Land.towns) var land: Land?
    @Relationship(inverse: \Citizen.home) var residents: ObjectSet<Citizen>
    @Relationship(inverse: \Citizen.governs) var mayor: Citizen?
}

final class Citizen: ManagedObject {
    @Attribute var name: String
    @Attribute var age = 30
    @Attribute var nickname: String?
    @Relationship var home: Town?
    @Relationship var governs: Town?
    @Relationship(deleteRule: .cascade, inverse: \Citizen.guardian) var wards: ObjectSet<Citizen>
    @Relationship var guardian: Citizen?
    @Relationship(inverse: \Club.members) var clubs: ObjectSet<Club>
}

final class Club: ManagedObject {
    @Attribute var title = "Club"
    @Relationship var members: ObjectSet<Citizen>
    @Relationship(deleteRule: .deny, inverse: \Hall.club) var halls: ObjectSet<Hall>
    @Relationship var patron: Land?

    /// A club of a title.
    convenience init(_ title: String, in context: ManagedObjectContext) {
        self.init(context: context)
        self.title = title
    }
}

final class Hall: ManagedObject {
    @Attribute var seats = 12
    @Relationship var club: Club?
}

enum TownModel {
    static let types: [ManagedObject.Type] = [
        Land.self, Town.self, Citizen.self, Club.self, Hall.self,
    ]

    static func store() throws -> GraphStore { try GraphStore(model: types) }

    static func context() throws -> ManagedObjectContext { ManagedObjectContext(try store()) }
}

extension ManagedObjectContext {
    /// A citizen with all that a save asks for.
    func citizen(_ name: String) -> Citizen {
        let citizen = Citizen(context: self)
        citizen.name = name
        return citizen
    }

    /// A land with all that a save asks for.
    func land(_ name: String) -> Land {
        let land = Land(context: self)
        land.name = name
        return land
    }

    /// Saves, and shows it to another context.
    func save(shownTo other: ManagedObjectContext) throws(ContextError) {
        try save()
        other.refreshAllObjects()
    }

    /// Saves, and shows it to another context so often, after another commit each.
    func save(shownTo other: ManagedObjectContext, _ times: Int) throws {
        try save()
        for number in 0..<times {
            other.refreshAllObjects()
            _ = land("\(number)")
            try save()
        }
    }

    /// This object in this context.
    func twin<Object: ManagedObject>(of object: Object) throws -> Object {
        let twin = try existingObject(with: object.objectID)
        return unsafeDowncast(twin, to: Object.self)
    }

    /// The rules that a save finds broken.
    func failures() -> [ValidationFailure] {
        if case .invalid(let failures) = ContextError.thrown(by: save) { failures } else { [] }
    }

    /// The conflicts that a save meets.
    func conflicts() -> [SaveConflict] {
        if case .conflict(let conflicts) = ContextError.thrown(by: save) { conflicts } else { [] }
    }
}
