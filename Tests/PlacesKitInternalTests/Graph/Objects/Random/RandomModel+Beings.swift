import PlacesKit

/// A hierarchy of classes, abstract and concrete, with relationships to superclasses and between
/// subclasses.
extension RandomModel {
    class Being: ManagedObject {
        override class var isAbstract: Bool { self == Being.self }
        @Attribute(.unique) var alias: String?
        @Attribute var age = 3
        @Relationship(inverse: \Team.pets) var owner: Team?
        @Relationship(inverse: \Being.admirers) var idols: ObjectSet<Being>
        @Relationship var admirers: ObjectSet<Being>
    }

    class Animal: Being {
        @Attribute var sound = "grr"
        @Attribute var size: Int
        @Relationship(deleteRule: .cascade, inverse: \Animal.host) var guests: ObjectSet<Animal>
        @Relationship var host: Animal?
    }

    final class Dog: Animal {
        @Attribute(.unique) var license = 17
        @Attribute var trick: String? = "sit"
        @Relationship(deleteRule: .deny, inverse: \Cat.hunters) var prey: Cat?
        @Relationship(inverse: \Cat.friends) var friends: ObjectSet<Cat>
        @Relationship(deleteRule: .cascade) var boss: Being?
    }

    final class Cat: Being {
        @Attribute var lives = 9
        @Attribute(.unique) var trick: Int?
        @Relationship var hunters: ObjectSet<Dog>
        @Relationship var friends: ObjectSet<Dog>
        @Relationship(deleteRule: .deny) var rival: Dog?
        @Relationship(deleteRule: .cascade, inverse: \Tag.cats) var toy: Tag?
    }

    static func beings<Object: Being>(
        _ insert: @escaping (ManagedObjectContext) -> Object
    ) -> EntityAccess {
        EntityAccess(insert)
            .attribute("alias", \Object.alias) { $0.below(3) == 0 ? nil : "\($0.below(300))" }
            .attribute("age", \Object.age) { $0.below(5) }
            .toOne("owner", \Object.owner).toMany("idols", \Object.idols)
            .toMany("admirers", \Object.admirers)
    }

    static func animals<Object: Animal>(
        _ insert: @escaping (ManagedObjectContext) -> Object
    ) -> EntityAccess {
        beings(insert)
            .attribute("sound", \Object.sound) { "sound \($0.below(3))" }
            .attribute("size", \Object.size) { $0.below(100) }
            .toMany("guests", \Object.guests).toOne("host", \Object.host)
    }

    static func dogs() -> EntityAccess {
        animals(Dog.init(context:))
            .attribute("license", \Dog.license) { $0.below(1_000) }
            .attribute("trick", \Dog.trick) { $0.below(2) == 0 ? nil : "roll" }
            .toOne("prey", \Dog.prey).toMany("friends", \Dog.friends).toOne("boss", \Dog.boss)
    }

    static func cats() -> EntityAccess {
        beings(Cat.init(context:))
            .attribute("lives", \Cat.lives) { $0.below(10) }
            .attribute("trick", \Cat.trick) { $0.below(3) == 0 ? nil : $0.below(400) }
            .toMany("hunters", \Cat.hunters).toMany("friends", \Cat.friends)
            .toOne("rival", \Cat.rival).toOne("toy", \Cat.toy)
    }
}
