import Foundation
import PlacesKit

/// The model of the random run, and the way to all its properties.
enum RandomModel {
    /// An enum attribute of text.
    enum Mood: String, CaseIterable, AttributeValue { case calm, merry, wild }

    /// An enum attribute of numbers.
    enum Rank: Int, CaseIterable, AttributeValue { case low = 1, middle = 5, high = 9 }

    /// An object with an attribute of every type and a relationship of every kind.
    final class Node: ManagedObject {
        @Attribute(.unique) var code: Int?
        @Attribute(.unique) var key: String?
        @Attribute var serial: Int32
        @Attribute var flag = true
        @Attribute var number = 7
        @Attribute var small: Int8 = -3
        @Attribute var medium: Int16?
        @Attribute var byte: UInt8 = 200
        @Attribute var word: UInt16?
        @Attribute var wide: UInt32 = 4_000_000_000
        @Attribute var real: Double?
        @Attribute var single: Float = 0.5
        @Attribute(.searchable) var text = "new"
        @Attribute(.searchable) var remark: String?
        @Attribute var date: Date?
        @Attribute var uuid: UUID?
        @Attribute var link: URL?
        @Attribute var blob: Data?
        @Attribute var mood = Mood.merry
        @Attribute var rank: Rank?
        @Relationship(inverse: \Node.children) var parent: Node?
        @Relationship(deleteRule: .cascade) var children: ObjectSet<Node>
        @Relationship(inverse: \Team.nodes) var team: Team?
        @Relationship(inverse: \Team.wards) var guardian: Team?
        @Relationship(inverse: \Tag.nodes) var tags: ObjectSet<Tag>
        @Relationship(inverse: \Tag.experts) var expertise: ObjectSet<Tag>
        @Relationship(deleteRule: .cascade, inverse: \Badge.node) var badge: Badge?
        @Relationship(inverse: \Node.student) var mentor: Node?
        @Relationship var student: Node?
        @Relationship var favorite: Tag?
    }

    final class Team: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var nodes: ObjectSet<Node>
        @Relationship(deleteRule: .deny) var wards: ObjectSet<Node>
        @Relationship(deleteRule: .deny) var pets: ObjectSet<Being>
        @Relationship var mascot: Animal?
    }

    final class Tag: ManagedObject {
        @Attribute var label = ""
        @Relationship var nodes: ObjectSet<Node>
        @Relationship(deleteRule: .cascade) var experts: ObjectSet<Node>
        @Relationship var cats: ObjectSet<Cat>
    }

    final class Badge: ManagedObject {
        @Attribute var issued = Date(timeIntervalSinceReferenceDate: 1_000)
        @Attribute(.unique) var stamp = 7
        @Relationship(deleteRule: .deny) var node: Node?
    }

    static let types: [ManagedObject.Type] = [
        Node.self, Cat.self, Team.self, Animal.self, Tag.self, Badge.self, Being.self, Dog.self,
    ]

    static var world: RandomGraphWorld {
        RandomGraphWorld(
            types: types, access: access(),
            inserted: [
                "Node", "Node", "Node", "Team", "Tag", "Badge", "Animal", "Dog", "Dog", "Cat",
            ],
            required: ["serial", "name", "stamp", "size"])
    }

    private static func access() -> [String: EntityAccess] {
        [
            "Node": nodes(),
            "Team": EntityAccess(Team.init(context:))
                .attribute("name", \Team.name) { "team \($0.below(400))" }
                .toMany("nodes", \Team.nodes).toMany("wards", \Team.wards)
                .toMany("pets", \Team.pets).toOne("mascot", \Team.mascot),
            "Tag": EntityAccess(Tag.init(context:))
                .attribute("label", \Tag.label) { "tag \($0.below(9))" }
                .toMany("nodes", \Tag.nodes).toMany("experts", \Tag.experts)
                .toMany("cats", \Tag.cats),
            "Badge": EntityAccess(Badge.init(context:))
                .attribute("issued", \Badge.issued) {
                    Date(timeIntervalSinceReferenceDate: Double($0.below(5)))
                }
                .attribute("stamp", \Badge.stamp) { $0.below(1_000) }
                .toOne("node", \Badge.node),
            "Being": beings(Being.init(context:)), "Animal": animals(Animal.init(context:)),
            "Dog": dogs(), "Cat": cats(),
        ]
    }

    private static func nodes() -> EntityAccess {
        func maybe<Value>(
            _ value: @escaping (inout SplitMix64) -> Value
        ) -> (inout SplitMix64) -> Value? {
            { $0.below(4) == 0 ? nil : value(&$0) }
        }
        return EntityAccess(Node.init(context:))
            .attribute("code", \Node.code, maybe { $0.below(500) - 250 })
            .attribute("key", \Node.key, maybe { "key \($0.below(500))" })
            .attribute("serial", \Node.serial) { Int32(truncatingIfNeeded: $0.next()) }
            .attribute("flag", \Node.flag) { $0.below(2) == 0 }
            .attribute("number", \Node.number) { $0.below(3) - 1 }
            .attribute("small", \Node.small) { Int8(truncatingIfNeeded: $0.next()) }
            .attribute("medium", \Node.medium, maybe { Int16(truncatingIfNeeded: $0.next()) })
            .attribute("byte", \Node.byte) { UInt8(truncatingIfNeeded: $0.next()) }
            .attribute("word", \Node.word, maybe { UInt16(truncatingIfNeeded: $0.next()) })
            .attribute("wide", \Node.wide) { UInt32(truncatingIfNeeded: $0.next()) }
            .attribute("real", \Node.real, maybe { Double($0.below(4)) / 3 })
            .attribute("single", \Node.single) { Float($0.below(4)) / 3 }
            .attribute("text", \Node.text) { String(repeating: "ä long text ", count: $0.below(4)) }
            .attribute("remark", \Node.remark, maybe { "\($0.below(3))" })
            .attribute(
                "date", \Node.date,
                maybe { Date(timeIntervalSinceReferenceDate: Double($0.below(3)) * 86_400) }
            )
            .attribute(
                "uuid", \Node.uuid,
                maybe {
                    let byte = UInt8($0.below(3))
                    return UUID(
                        uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
                }
            )
            .attribute("link", \Node.link, maybe { URL(filePath: "/photos/\($0.below(3))") })
            .attribute("blob", \Node.blob, maybe { Data(repeating: 7, count: $0.below(40)) })
            .attribute("mood", \Node.mood) { $0.pick(Mood.allCases) }
            .attribute("rank", \Node.rank, maybe { $0.pick(Rank.allCases) })
            .toOne("parent", \Node.parent).toMany("children", \Node.children)
            .toOne("team", \Node.team).toOne("guardian", \Node.guardian)
            .toMany("tags", \Node.tags).toMany("expertise", \Node.expertise)
            .toOne("badge", \Node.badge).toOne("mentor", \Node.mentor)
            .toOne("student", \Node.student).toOne("favorite", \Node.favorite)
    }
}
