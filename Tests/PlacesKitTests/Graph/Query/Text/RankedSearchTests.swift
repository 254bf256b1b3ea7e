import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

private final class Sprig: ManagedObject {
    @Attribute var number = 0
    @Attribute(.searchable) var title = ""
    @Attribute(.searchable) var body: String?
    @Attribute var note = ""
    @Relationship(inverse: \Bough.leaves) var branch: Bough?
}

private final class Bough: ManagedObject {
    @Attribute(.searchable) var name = ""
    @Attribute var story = ""
    @Relationship var leaves: ObjectSet<Sprig>
}

/// Searches whose best results come first.
@Suite struct RankedSearchTests {
    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Sprig.self, Bough.self]))
    }

    /// BM25 as the books have it, over all objects, each read by itself.
    private struct Naive {
        let terms: [String]
        let weights: [Double]
        let read: [(Sprig) -> String?]
        private var rarities: [Double] = []
        private var averageLength = 1.0

        init(
            _ text: String, _ weights: [Double], _ read: [(Sprig) -> String?],
            in leaves: [Sprig]
        ) {
            terms = Self.words(text)
            self.weights = weights
            self.read = read
            let count = Double(leaves.count)
            var length = 0
            var found = Array(repeating: 0, count: terms.count)
            for read in read {
                // The average length is that in different words.
                let texts = leaves.map { Set(Self.words(read($0) ?? "")) }
                length += texts.reduce(0) { $0 + $1.count }
                for (index, term) in terms.enumerated() {
                    let number = texts.filter { $0.contains { $0.hasPrefix(term) } }.count
                    found[index] = max(found[index], number)
                }
            }
            averageLength = max(1, Double(length) / max(1, count))
            rarities = found.map { log(1 + (count - Double($0) + 0.5) / (Double($0) + 0.5)) }
        }

        func score(_ leaf: Sprig) -> Double {
            let texts = read.map { Self.words($0(leaf) ?? "") }
            let length = Double(texts.reduce(0) { $0 + $1.count })
            let norm = 1.2 * (0.25 + 0.75 * length / averageLength)
            return zip(terms, rarities).reduce(0) { sum, term in
                let frequency = zip(texts, weights).reduce(0.0) {
                    $0 + $1.1 * Double($1.0.filter { $0.hasPrefix(term.0) }.count)
                }
                return sum + term.1 * frequency * 2.2 / (frequency + norm)
            }
        }

        static func words(_ text: String) -> [String] {
            text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let words = ["sea", "Seal", "ship", "SEA", "shore", "a", "night", "nightly", "port"]
        return (0..<Int.random(in: 0..<7, using: &random)).map { _ in
            words.randomElement(using: &random) ?? ""
        }.joined(separator: [" ", ", ", "-"].randomElement(using: &random) ?? " ")
    }

    private func change(
        _ leaf: Sprig, _ branches: [Bough], _ random: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: leaf.title = Self.text(&random)
        case 1: leaf.body = Bool.random(using: &random) ? Self.text(&random) : nil
        case 2: leaf.note = Self.text(&random)
        default:
            leaf.branch = Bool.random(using: &random) ? branches.randomElement(using: &random) : nil
        }
    }

    /// Whether objects are in the order of their scores, and none that is left out is better.
    private func check(_ shown: [Sprig], among all: [Sprig], _ naive: Naive, _ place: String) {
        let scores = shown.map(naive.score)
        for (index, score) in scores.enumerated().dropFirst() {
            #expect(scores[index - 1] >= score - 1e-9, "\(place): \(index)")
            if scores[index - 1] == score {
                #expect(shown[index - 1].number < shown[index].number, "\(place): a tie")
            }
        }
        let identifiers = Set(shown.map(\.objectID))
        for leaf in all where !identifiers.contains(leaf.objectID) {
            #expect(naive.score(leaf) <= (scores.last ?? .infinity) + 1e-9, "\(place): left out")
        }
    }

    @Test(arguments: UInt64(1)...3)
    func `the best come first, also live, as whoever counts all words has them`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let branches = try (0..<4).map { number in
            let branch = try context.insert(Bough.self)
            branch.name = ["north sea", "shore", "", "night ship"][number]
            branch.story = ["a port", "seals see seals", "nightly", "shore"][number]
            return branch
        }
        var leaves: [Sprig] = []
        var number = 0
        func insert() throws {
            let leaf = try context.insert(Sprig.self)
            leaf.number = number
            number += 1
            leaf.title = Self.text(&random)
            change(leaf, branches, &random)
            leaves.append(leaf)
        }
        for _ in 0..<80 { try insert() }
        let weights = [3, 1, 0.5, 2, 0.25]
        let read: [(Sprig) -> String?] = [
            { $0.title }, { $0.body }, { $0.note }, { $0.branch?.name }, { $0.branch?.story },
        ]
        func request(_ text: String, limit: Int?) -> FetchRequest<Sprig> {
            let search = TextSearch<Sprig>(
                text, in: \.title, \.body, \.note, \.branch?.name, \.branch?.story)
            var request = FetchRequest<Sprig>(
                sortBy: [
                    SortDescriptor(relevanceTo: search, weights: weights), SortDescriptor(\.number),
                ], limit: limit)
            request.search = search
            return request
        }
        let texts = ["se", "sea night", "ship", "a port", "nightly", ""]
        let lists = try texts.map { text in
            (
                text, try FetchedResultsController(request(text, limit: nil), in: context),
                Naive(text, weights, read, in: leaves)
            )
        }
        for round in 0..<40 {
            for _ in 0..<4 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: try insert()
                case 1:
                    let index = Int.random(in: 0..<leaves.count, using: &random)
                    context.delete(leaves.remove(at: index))
                default:
                    if let leaf = leaves.randomElement(using: &random) {
                        change(leaf, branches, &random)
                    }
                }
            }
            context.processPendingChanges()
            func matching(_ text: String) -> [Sprig] {
                let terms = Naive.words(text)
                return leaves.filter { leaf in
                    let words = read.flatMap { Naive.words($0(leaf) ?? "") }
                    return terms.allSatisfy { term in words.contains { $0.hasPrefix(term) } }
                }
            }
            for (text, list, naive) in lists {
                let place = "seed \(seed), round \(round), “\(text)”"
                let all = matching(text)
                #expect(Set(list.objects.map(\.objectID)) == Set(all.map(\.objectID)), "\(place)")
                check(Array(list.objects), among: all, naive, "live, \(place)")
                let limit = [nil, 1, 5].randomElement(using: &random) ?? nil
                let found = Array(try context.fetch(request(text, limit: limit)))
                #expect(found.count == min(all.count, limit ?? .max), "\(place)")
                check(found, among: all, Naive(text, weights, read, in: leaves), place)
            }
        }
    }

    @Test func `weights that are no weights do no harm, and reverse is the worst first`() throws {
        for (number, title) in ["sea", "sea sea", "the sea at night and in the morning"]
            .enumerated()
        {
            let leaf = try context.insert(Sprig.self)
            (leaf.number, leaf.title) = (number, title)
        }
        func numbers(_ weights: [Double], _ order: SortOrder = .forward) throws -> [Int] {
            let search = TextSearch<Sprig>("sea", in: \.title, \.note)
            let relevance = SortDescriptor(
                relevanceTo: search, weights: weights, order: order)
            var request = FetchRequest<Sprig>(sortBy: [relevance, SortDescriptor(\.number)])
            request.search = search
            #expect(try request.explain(in: context).notCompiled.isEmpty)
            return try context.fetch(request).map(\.number)
        }
        #expect(try numbers([]) == [1, 0, 2])
        #expect(try numbers([], .reverse) == [2, 0, 1])
        for weight in [0, -1, Double.nan, -Double.infinity] {
            #expect(try numbers([weight]) == [0, 1, 2])
        }
        #expect(try numbers([.infinity]).count == 3)
        #expect(
            SortDescriptor(relevanceTo: TextSearch<Sprig>("a", in: \.title))
                != SortDescriptor(relevanceTo: TextSearch<Sprig>("b", in: \.title)))
    }

    @Test func `pages of a ranked search follow each other, and a token is of its weights`() throws
    {
        var random = SeededGenerator(seed: 5)
        for number in 0..<40 {
            let leaf = try context.insert(Sprig.self)
            (leaf.number, leaf.title) = (number, Self.text(&random))
            leaf.note = Self.text(&random)
        }
        func request(_ weights: [Double]) -> FetchRequest<Sprig> {
            let search = TextSearch<Sprig>("se", in: \.title, \.note)
            var request = FetchRequest<Sprig>(
                sortBy: [SortDescriptor(relevanceTo: search, weights: weights)], limit: 5)
            request.search = search
            return request
        }
        var (numbers, token): ([Int], PageToken?) = ([], nil)
        repeat {
            let page = try context.page(request([2, 1]), after: token)
            numbers += page.objects.map(\.number)
            token = page.next
            if let token {
                #expect(throws: ContextError.self) {
                    try context.page(request([1, 2]), after: token)
                }
            }
        } while token != nil
        var all = request([2, 1])
        all.limit = nil
        #expect(try context.fetch(all).map(\.number) == numbers)
    }

    @Test func `pages of a ranked search miss and repeat nothing, whatever words come meanwhile`()
        throws
    {
        var number = 0
        func insert(_ title: String) throws {
            let leaf = try context.insert(Sprig.self)
            (leaf.number, leaf.title) = (number, title)
            number += 1
        }
        for word in ["sea", "sky"] {
            for length in 0..<10 { try insert(word + String(repeating: " word", count: length)) }
        }
        for (text, isFound) in [("sea sky", false), ("sea", true)] {
            let search = TextSearch<Sprig>(text, in: \.title)
            var request = FetchRequest<Sprig>(sortBy: [SortDescriptor(relevanceTo: search)])
            if isFound { request.search = search }
            let before = try context.fetch(request).map(\.number)
            request.limit = 3
            var (found, token): ([Int], PageToken?) = ([], nil)
            repeat {
                let page = try context.page(request, after: token)
                found += page.objects.map(\.number)
                token = try page.next.map {
                    try JSONDecoder().decode(PageToken.self, from: try JSONEncoder().encode($0))
                }
                #expect(token == page.next)
                try insert("far away")
                try insert("sea x")
            } while token != nil && found.count < 1_000
            #expect(found.filter(Set(before).contains) == before, "\(text)")
        }
    }

    @Test func `a token that lacks what a rank counted is refused`() throws {
        for title in ["sea", "sea sea"] { try context.insert(Sprig.self).title = title }
        let search = TextSearch<Sprig>("sea", in: \.title)
        let request = FetchRequest<Sprig>(
            sortBy: [SortDescriptor(relevanceTo: search)], limit: 1)
        let token = try #require(try context.page(request).next)
        let text = String(decoding: try JSONEncoder().encode(token), as: UTF8.self)
        for (part, other) in [
            ("\"statistics\":", "\"else\":"), ("\"occurrences\":[", "\"occurrences\":[0,"),
        ] {
            let forged = text.replacingOccurrences(of: part, with: other)
            #expect(forged != text)
            let token = try JSONDecoder().decode(PageToken.self, from: Data(forged.utf8))
            #expect(throws: ContextError.self) { try context.page(request, after: token) }
        }
    }

    @Test func `a token of a ranked search is of its matching`() throws {
        for title in ["seal seal", "sea", "seal"] { try context.insert(Sprig.self).title = title }
        func request(_ matching: WordMatching) -> FetchRequest<Sprig> {
            let search = TextSearch<Sprig>("sea", in: \.title, matching: matching)
            return FetchRequest(sortBy: [SortDescriptor(relevanceTo: search)], limit: 1)
        }
        let prefixes = "Sprig by relevance to \"sea\" in title × 1.0 descending"
        let words = "Sprig by relevance to the words \"sea\" in title × 1.0 descending"
        let token = try context.page(request(.prefixes)).next
        #expect(throws: ContextError.otherPageOrder(token: prefixes, request: words)) {
            try context.page(request(.wholeWords), after: token)
        }
        let other = try context.page(request(.wholeWords)).next
        #expect(throws: ContextError.otherPageOrder(token: words, request: prefixes)) {
            try context.page(request(.prefixes), after: other)
        }
    }

    @Test func `objects that are sorted by themselves have the same order`() throws {
        var random = SeededGenerator(seed: 3)
        var leaves: [Sprig] = []
        for number in 0..<40 {
            let leaf = try context.insert(Sprig.self)
            leaf.number = number
            leaf.title = Self.text(&random)
            leaves.append(leaf)
        }
        let order = [
            SortDescriptor(relevanceTo: TextSearch<Sprig>("sea nig", in: \.title)),
            SortDescriptor(\Sprig.number),
        ]
        #expect(
            try context.fetch(FetchRequest(sortBy: order)).map(\.number)
                == leaves.sorted(using: order).map(\.number))
    }

    @Test func `objects that are sorted by themselves are ranked by what there is by then`() throws
    {
        let order = [
            SortDescriptor(relevanceTo: TextSearch<Sprig>("sea sky", in: \.title)),
            SortDescriptor(\Sprig.number),
        ]
        func check(_ context: ManagedObjectContext, _ numbers: [Int]) throws {
            let leaves = try context.fetch(Sprig.self)
            #expect(leaves.sorted(using: order).map(\.number) == numbers)
            #expect(try context.fetch(FetchRequest(sortBy: order)).map(\.number) == numbers)
        }
        for (number, title) in ["sea", "sky", "none"].enumerated() {
            let leaf = try context.insert(Sprig.self)
            (leaf.number, leaf.title) = (number, title)
        }
        try check(context, [0, 1, 2])
        try context.insert(Sprig.self).title = "sea"
        // The word that fewer have counts more.
        try check(context, [1, 0, 0, 2])
        try context.save()
        let other = ManagedObjectContext(context.store)
        for _ in 0..<2 { try other.insert(Sprig.self).title = "sky" }
        try other.save()
        try check(other, [0, 0, 0, 0, 1, 2])
        try check(context, [1, 0, 0, 2])
        context.refreshAllObjects()
        try check(context, [0, 0, 0, 0, 1, 2])
    }

    @Test func `objects are ranked by what they have by then, though they had changed before`()
        throws
    {
        let texts: [any ReferenceWritableKeyPath<Sprig, String> & Sendable] = [
            \.title, \.note,
        ]
        for text in texts {
            let context = ManagedObjectContext(self.context.store)
            let order = [
                SortDescriptor(relevanceTo: TextSearch<Sprig>("sea sky", in: text)),
                SortDescriptor(\Sprig.number),
            ]
            let leaves = try ["sea", "sky", "sky"].enumerated().map { number, words in
                let leaf = try context.insert(Sprig.self)
                leaf.number = number
                leaf[keyPath: text] = words
                return leaf
            }
            // Nothing is fetched in between: that would be another state of the context anyway.
            #expect(leaves.sorted(using: order).map(\.number) == [0, 1, 2])
            leaves[2][keyPath: text] = "sea"
            #expect(leaves.sorted(using: order).map(\.number) == [1, 0, 2])
            leaves[0][keyPath: text] = "none"
            #expect(leaves.sorted(using: order).map(\.number) == [1, 2, 0])
            #expect(try context.fetch(FetchRequest(sortBy: order)).map(\.number) == [1, 2, 0])
        }
    }
}
