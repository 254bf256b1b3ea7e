import Foundation
import PlacesKit

/// An attribute of every type, each with its optional, and relationships of every kind.
final class Specimen: ManagedObject {
    @Attribute(.unique) var code: String
    @Attribute(.unique) var number: Int?
    @Attribute var flag = false
    @Attribute var maybeFlag: Bool?
    @Attribute var integer = 7
    @Attribute var maybeInteger: Int?
    @Attribute var small: Int16 = -3
    @Attribute var maybeSmall: Int16?
    @Attribute var double = 0.5
    @Attribute var maybeDouble: Double?
    @Attribute var float: Float = 0.25
    @Attribute var maybeFloat: Float?
    @Attribute var big: UInt64 = 12
    @Attribute var maybeBig: UInt?
    @Attribute var decimal = Decimal(5) / 2
    @Attribute var maybeDecimal: Decimal?
    @Attribute var text = "plain"
    @Attribute var maybeText: String?
    @Attribute var date = Date(timeIntervalSinceReferenceDate: 1_000)
    @Attribute var maybeDate: Date?
    @Attribute var uuid: UUID
    @Attribute var maybeUUID: UUID?
    @Attribute var url: URL
    @Attribute var maybeURL: URL?
    @Attribute var mood: Mood
    @Attribute var maybeMood: Mood?
    @Attribute var traits: Traits
    @Attribute var data: Data
    @Attribute var maybeData: Data?
    @Relationship(inverse: \Shelf.specimens) var shelf: Shelf?
    @Relationship(inverse: \Tag.specimens) var tags: ObjectSet<Tag>
    @Relationship(inverse: \Specimen.children) var parent: Specimen?
    @Relationship var children: ObjectSet<Specimen>
    @Relationship(inverse: \Label.specimen) var label: Label?
    /// Nothing mirrors this one.
    @Relationship var origin: Room?

    var shout: String { text.uppercased() }
    var doubled: Int { integer &* 2 }
    var halved: Double { double / 2 }
    var maybeHalved: Double? { maybeDouble.map { $0 / 2 } }
}

/// Raw values that nobody listed.
struct Traits: OptionSet, AttributeValue, Codable, Hashable {
    let rawValue: UInt8
    static let rare = Traits(rawValue: 1)
}

/// An enum whose order is not that of its raw values.
enum Mood: String, CaseIterable, AttributeValue, Codable, Comparable {
    case wild, calm, odd

    static func < (left: Mood, right: Mood) -> Bool {
        left.rawValue.count < right.rawValue.count
            || (left.rawValue.count == right.rawValue.count && left.rawValue > right.rawValue)
    }
}

final class Shelf: ManagedObject {
    @Attribute var name = ""
    @Attribute var height: Int?
    @Relationship var specimens: ObjectSet<Specimen>
    @Relationship(inverse: \Room.shelves) var room: Room?
}

/// A room that is deleted keeps its links while it has shelves, until a save refuses the delete.
final class Room: ManagedObject {
    @Attribute var name = ""
    @Attribute var area: Double?
    @Attribute var isOpen = true
    @Relationship(deleteRule: .deny) var shelves: ObjectSet<Shelf>
}

final class Tag: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var weight = 1
    @Relationship var specimens: ObjectSet<Specimen>
}

final class Label: ManagedObject {
    @Attribute var text: String?
    @Relationship var specimen: Specimen?
}
