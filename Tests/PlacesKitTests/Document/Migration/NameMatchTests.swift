import Testing

@testable import PlacesKit

/// What is the same in two versions of a model.
@Suite struct NameMatchTests {
    private struct Thing: Renamed {
        var name: String
        var originalName: String?

        init(_ name: String, _ originalName: String? = nil) {
            (self.name, self.originalName) = (name, originalName)
        }
    }

    private func pairs(_ new: [Thing], _ old: [Thing]) -> [String?] {
        NameMatch.positions(of: new, in: old).map { $0.map { old[$0].name } }
    }

    @Test func `the first name, the name before, and the name itself are recognised`() {
        #expect(pairs([Thing("a")], [Thing("b"), Thing("a")]) == ["a"])
        #expect(pairs([Thing("b", "a")], [Thing("a")]) == ["a"])
        #expect(pairs([Thing("c", "a")], [Thing("b", "a")]) == ["b"])
        #expect(pairs([Thing("c", "b")], [Thing("b", "a")]) == ["b"])
        #expect(pairs([Thing("b", "a")], [Thing("b", "a")]) == ["b"])
        #expect(pairs([Thing("b", "a")], [Thing("b")]) == ["b"])
        #expect(
            pairs([Thing("a", "b"), Thing("b", "a")], [Thing("a"), Thing("b")]) == ["b", "a"])
        #expect(pairs([Thing("b", "a"), Thing("a")], [Thing("a")]) == ["a", nil])
        #expect(pairs([Thing("x")], []) == [nil])
    }

    enum Model {
        class Animal: ManagedObject {
            override class var originalName: String? { "Creature" }
            @Attribute var name = ""
        }
        final class Dog: Animal {
            @Attribute var trick = ""
        }
        final class Cat: Animal {
            override class var originalName: String? { "Tiger" }
            @Attribute var lives = 9
        }
        final class Beast: ManagedObject {
            override class var originalName: String? { "Creature" }
            @Attribute var name = ""
        }
    }

    @Test func `a class has its original name for itself, and no two have one`() throws {
        let model = try ObjectModel([Model.Animal.self, Model.Dog.self, Model.Cat.self])
        #expect(model.schema.entities.map(\.originalName) == ["Creature", nil, "Tiger"])
        #expect(
            throws: SchemaError.duplicateOriginalName(entity: "Beast", originalName: "Creature")
        ) {
            try ObjectModel([Model.Animal.self, Model.Beast.self])
        }
    }
}
