import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// How rare words are, which must not depend on whether an index tells it.
@Suite struct WordStatisticsTests {
    final class Leaf: ManagedObject {
        @Attribute var number = 0
        @Attribute(.searchable) var title = ""
        @Attribute var plain = ""
        @Relationship(inverse: \Branch.leaves) var branch: Branch?
    }

    final class Branch: ManagedObject {
        @Attribute(.searchable) var title = ""
        @Attribute var plain = ""
        @Relationship(inverse: \Trunk.branches) var trunk: Trunk?
        @Relationship var leaves: ObjectSet<Leaf>
    }

    final class Trunk: ManagedObject {
        @Attribute(.searchable) var title = ""
        @Attribute var plain = ""
        @Relationship var branches: ObjectSet<Branch>
    }

    private typealias Text = any PartialKeyPath<Leaf> & Sendable

    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [Leaf.self, Branch.self, Trunk.self]))
    }

    private func insert(_ texts: [String]) throws {
        for (number, text) in texts.enumerated() {
            let leaf = try context.insert(Leaf.self)
            (leaf.number, leaf.title, leaf.plain) = (number, text, text)
        }
    }

    private func ranked(
        _ text: String, _ matching: WordMatching, in attribute: Text
    ) -> FetchRequest<Leaf> {
        var search = TextSearch<Leaf>(text, in: \.title, matching: matching)
        search.attributes = [attribute]
        return FetchRequest(
            sortBy: [SortDescriptor(relevanceTo: search), SortDescriptor(\.number)], limit: 3)
    }

    /// What was counted for a ranked search: how many objects there are, have each word, and how many words.
    private func statistics(_ request: FetchRequest<Leaf>) throws -> String {
        struct Token: Decodable { let statistics: [Statistics] }
        struct Statistics: Decodable {
            let objects: Int
            let words: Int
            let occurrences: [Int]
        }
        let token = try #require(try context.page(request).next)
        let decoded = try JSONDecoder().decode(Token.self, from: try JSONEncoder().encode(token))
        let counted = try #require(decoded.statistics.first)
        return "\(counted.objects) \(counted.words) \(counted.occurrences)"
    }

    private static func times(_ count: Int, _ text: String) -> [String] {
        Array(repeating: text, count: count)
    }

    /// Texts, of which the first has what few have, and how many have each part of a search.
    private static let rarities:
        [(text: String, matching: WordMatching, texts: [String], occurrences: [Int])] = [
            (
                "\"old town\" hill", .wholeWords,
                ["old town"] + times(10, "old sea town") + times(9, "hill sea"), [1, 9]
            ),
            (
                "internationalization sea", .wholeWords,
                ["internationalization"] + times(20, "internationalism") + times(10, "sea"),
                [1, 10]
            ),
            (
                "tow sea", .prefixes,
                [(0..<60).map { "tow\($0)" }.joined(separator: " "), "town"] + times(20, "sea")
                    + times(20, "hill"), [2, 20]
            ),
            ("東京 sea", .prefixes, ["東京"] + times(20, "京東") + times(10, "sea"), [1, 10]),
        ]

    @Test(arguments: 0..<4)
    func `a rare phrase, long word or prefix is not taken for a frequent one`(number: Int) throws {
        let (text, matching, texts, occurrences) = Self.rarities[number]
        try insert(texts)
        for attribute in [\Leaf.title, \Leaf.plain] as [Text] {
            let request = ranked(text, matching, in: attribute)
            #expect(try statistics(request).hasSuffix("\(occurrences)"), "\(attribute)")
            #expect(try context.fetch(request).first?.number == 0, "\(attribute)")
        }
    }

    @Test func `a text is as long as it has different words, also without an index`() throws {
        try insert(["sea sea sea hill", "sea"])
        for attribute in [\Leaf.title, \Leaf.plain] as [Text] {
            var request = ranked("sea", .prefixes, in: attribute)
            request.limit = 1
            #expect(try statistics(request) == "2 3 [2]", "\(attribute)")
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `an index counts what whoever reads the texts counts, also across relationships`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let words = [
            "sea", "seal", "old", "town", "internationalization", "internationalism", "東", "京",
            "東京", "☕",
        ]
        func text() -> String {
            (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                words.randomElement(using: &random) ?? ""
            }.joined(separator: Bool.random(using: &random) ? " " : "-")
        }
        let trunks = try (0..<4).map { _ in try context.insert(Trunk.self) }
        let branches = try (0..<8).map { _ in try context.insert(Branch.self) }
        var leaves: [Leaf] = []
        for number in 0..<60 {
            let leaf = try context.insert(Leaf.self)
            leaf.number = number
            leaves.append(leaf)
        }
        for round in 0..<6 {
            for trunk in trunks { trunk.title = text() }
            for branch in branches {
                branch.title = text()
                branch.trunk =
                    Bool.random(using: &random) ? trunks.randomElement(using: &random) : nil
            }
            for leaf in leaves where Bool.random(using: &random) {
                leaf.title = text()
                leaf.branch = branches.randomElement(using: &random)
            }
            context.delete(leaves.removeLast())
            trunks.forEach { $0.plain = $0.title }
            branches.forEach { $0.plain = $0.title }
            leaves.forEach { $0.plain = $0.title }
            for text in [
                "se", "\"old town\"", "internationalization sea", "東京", "☕ t", "\"sea\" 東",
            ] {
                for matching in [WordMatching.prefixes, .wholeWords] {
                    for (index, twin) in [
                        (\Leaf.title, \Leaf.plain), (\Leaf.branch?.title, \Leaf.branch?.plain),
                        (\Leaf.branch?.trunk?.title, \Leaf.branch?.trunk?.plain),
                    ] as [(Text, Text)] {
                        #expect(
                            try statistics(ranked(text, matching, in: index))
                                == statistics(ranked(text, matching, in: twin)),
                            "seed \(seed), round \(round), \(text) in \(index)")
                    }
                }
            }
        }
    }

    @Test func `an order by relevance in what is no text is refused`() throws {
        try insert(["tea", "sea"])
        let search = TextSearch<Leaf>("tea", in: \.number)
        let request = FetchRequest<Leaf>(
            sortBy: [SortDescriptor(relevanceTo: search), SortDescriptor(\.title)], limit: 1)
        let error = ContextError.notText(entity: "Leaf", keyPath: "number")
        #expect(throws: error) { try context.fetch(request) }
        #expect(throws: error) { try context.page(request) }
        #expect(throws: error) { try request.explain(in: context) }
        #expect(throws: error) { try FetchedResultsController(request, in: context) }
        var hidden = request
        hidden.sortDescriptors.insert(SortDescriptor(\Leaf.title.count), at: 0)
        #expect(throws: error) { try context.fetch(hidden) }
    }
}
