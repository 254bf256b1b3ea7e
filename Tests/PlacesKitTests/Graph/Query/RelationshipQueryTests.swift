import Foundation
import PlacesKit
import Testing

/// Conditions across relationships of every kind.
@Suite struct RelationshipQueryTests {
    @Test func `values at the other end`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { $0.shelf?.name == "plain" }
            #Predicate<Specimen> { $0.shelf?.name != "plain" }
            #Predicate<Specimen> { $0.shelf?.name == nil }
            #Predicate<Specimen> { $0.shelf?.height != nil }
            #Predicate<Specimen> { $0.shelf?.height == nil }
            #Predicate<Specimen> { ($0.shelf?.height ?? 0) > 1 }
            #Predicate<Specimen> { ($0.shelf?.height ?? 9) > 1 }
            #Predicate<Specimen> { $0.shelf?.room?.name == "plain" }
            #Predicate<Specimen> { $0.shelf?.room?.name != "plain" }
            #Predicate<Specimen> { $0.shelf?.room?.area == nil }
            #Predicate<Specimen> { ($0.shelf?.room?.area ?? 1) >= 1 }
            #Predicate<Specimen> { $0.shelf?.room?.isOpen ?? false }
            #Predicate<Specimen> { $0.shelf?.room?.isOpen == true }
            #Predicate<Specimen> { $0.shelf?.room?.isOpen != true }
            #Predicate<Specimen> { $0.shelf.flatMap { $0.room?.isOpen } ?? true }
            #Predicate<Specimen> { $0.origin?.name == $0.maybeText }
            #Predicate<Specimen> { $0.origin?.name != $0.shelf?.room?.name }
            #Predicate<Specimen> { $0.parent?.integer == $0.maybeInteger }
            #Predicate<Specimen> { $0.parent?.parent?.flag == true }
            #Predicate<Specimen> { $0.parent?.parent?.parent?.shelf?.name == "plain" }
            #Predicate<Specimen> { $0.label?.text == nil }
            #Predicate<Specimen> { $0.label?.text == "plain" }
            #Predicate<Specimen> { $0.shelf.flatMap { $0.name < "k" } ?? false }
        }
        try check(.compiled) {
            #Predicate<Label> { $0.specimen?.flag == true }
            #Predicate<Label> { $0.specimen?.shelf?.name == "plain" }
            #Predicate<Label> { $0.specimen == nil }
        }
    }

    @Test func `whether there is another end, and which`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { $0.shelf == nil }
            #Predicate<Specimen> { $0.shelf != nil }
            #Predicate<Specimen> { $0.shelf?.room == nil }
            #Predicate<Specimen> { $0.shelf?.room != nil }
            #Predicate<Specimen> { $0.label != nil }
            #Predicate<Specimen> { $0.origin == nil }
            #Predicate<Specimen> { $0.origin == $0.shelf?.room }
            #Predicate<Specimen> { $0.origin != $0.shelf?.room }
            #Predicate<Specimen> { $0.parent?.parent == $0.parent }
        }
    }

    @Test func `objects with an identifier`() throws {
        for seed in [UInt64(1), 2, 3] {
            let world = try SpecimenWorld(seed: seed)
            let specimens = try world.specimens
            let own = specimens[100].objectID
            let shelf = world.shelves[3].objectID
            let room = try #require(world.shelves.compactMap(\.room).first).objectID
            let missing: ObjectID? = nil
            let none = ObjectID(entity: "Specimen", number: -1)
            let huge = ObjectID(entity: "Specimen", number: .max)
            let predicates: [Predicate<Specimen>] = [
                #Predicate { $0.objectID == own },
                #Predicate { $0.id == own },
                #Predicate { own != $0.objectID },
                #Predicate { $0.objectID == shelf },
                #Predicate { $0.objectID != shelf },
                #Predicate { $0.objectID == none },
                #Predicate { $0.objectID == huge },
                #Predicate { $0.objectID != huge },
                #Predicate { $0.shelf?.objectID == shelf },
                #Predicate { $0.shelf?.objectID != shelf },
                #Predicate { $0.shelf?.objectID == nil },
                #Predicate { $0.shelf?.objectID == missing },
                #Predicate { $0.shelf?.id == own },
                #Predicate { $0.shelf?.id != own },
                #Predicate { $0.shelf?.room?.id == room },
                #Predicate { $0.shelf?.room?.id != room },
                #Predicate { $0.parent?.id == own },
                #Predicate { $0.children.contains { $0.id == own } },
            ]
            for predicate in predicates {
                try world.context.check(predicate, .compiled, "Seed \(seed)")
            }
        }
    }

    @Test func `how many there are at the other end`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { $0.tags.count > 1 }
            #Predicate<Specimen> { $0.tags.count == 0 }
            #Predicate<Specimen> { $0.tags.isEmpty }
            #Predicate<Specimen> { !$0.tags.isEmpty }
            #Predicate<Specimen> { 2 <= $0.children.count }
            #Predicate<Specimen> { $0.tags.count < $0.children.count }
            #Predicate<Specimen> { $0.shelf?.specimens.count == 15 }
            #Predicate<Specimen> { ($0.shelf?.specimens.count ?? 0) > 15 }
            #Predicate<Specimen> { ($0.parent?.children.count ?? -1) < 2 }
            #Predicate<Specimen> { $0.parent?.tags.isEmpty ?? false }
            #Predicate<Specimen> { $0.parent?.tags.isEmpty == true }
        }
        try check(.compiled) {
            #Predicate<Room> { $0.shelves.count > 1 }
            #Predicate<Shelf> { $0.specimens.count > 15 }
        }
    }

    @Test func `some members, all members, no members`() throws {
        let limit = 1
        let moods = [Mood.odd]
        try check(.compiled) {
            #Predicate<Specimen> { $0.tags.contains { $0.name == "tag 1" } }
            #Predicate<Specimen> { $0.tags.contains { $0.weight > limit } }
            #Predicate<Specimen> { $0.tags.allSatisfy { $0.weight > limit } }
            #Predicate<Specimen> { !$0.tags.contains { $0.weight > limit } }
            #Predicate<Specimen> { !$0.tags.allSatisfy { $0.weight > limit } }
            #Predicate<Specimen> { $0.tags.contains { _ in true } }
            #Predicate<Specimen> { $0.tags.allSatisfy { _ in false } }
            #Predicate<Specimen> { $0.children.contains { $0.flag } }
            #Predicate<Specimen> { $0.children.contains { $0.shelf?.name == "plain" } }
            #Predicate<Specimen> { $0.children.allSatisfy { $0.shelf != nil } }
            #Predicate<Specimen> { $0.children.contains { $0.tags.contains { $0.weight == 2 } } }
            #Predicate<Specimen> {
                $0.children.allSatisfy { $0.tags.allSatisfy { $0.weight < 2 } }
            }
            #Predicate<Specimen> { $0.parent?.tags.contains { $0.weight == 2 } ?? false }
            #Predicate<Specimen> { $0.parent?.tags.allSatisfy { $0.weight == 2 } ?? false }
            #Predicate<Specimen> {
                $0.parent?.parent?.tags.contains { $0.weight == 2 } == true
            }
            #Predicate<Specimen> { $0.shelf?.room?.shelves.contains { $0.height == nil } != true }
            #Predicate<Specimen> {
                $0.children.contains { $0.parent?.tags.contains { $0.weight == 2 } ?? false }
            }
        }
        try check(.fallback) {
            #Predicate<Specimen> { $0.children.contains { $0.shout == "PLAIN" } }
        }
        try check(.compiled) {
            #Predicate<Specimen> { specimen in
                specimen.children.contains { $0.integer > specimen.integer }
            }
            #Predicate<Specimen> { $0.tags.filter { $0.weight == 2 }.count > 0 }
            #Predicate<Room> { $0.shelves.contains { $0.specimens.count > 15 } }
            #Predicate<Room> { $0.shelves.contains { $0.specimens.contains { $0.flag } } }
            #Predicate<Room> {
                $0.shelves.allSatisfy { $0.specimens.contains { moods.contains($0.mood) } }
            }
            #Predicate<Shelf> { $0.specimens.allSatisfy { $0.text != "zebra" } }
            #Predicate<Tag> { $0.specimens.contains { $0.code == "S3" } }
        }
    }
}
