import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Sections are told apart by the values of their objects, whatever these read like.
@Suite struct SectionKeyTests {
    private typealias Item = SectionModel.Item
    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [SectionModel.Item.self, SectionModel.Owner.self]))
    }

    /// Makes items of some values, and gives the sections of their property, each as its key and the
    /// numbers of its items; as a live controller has them after each item came and was changed, which
    /// must be what a fresh one has.
    private func sections<Value: Hashable & Sendable>(
        by keyPath: KeyPath<Item, Value>, of values: [Value],
        set: (Item, Value) -> Void
    ) throws -> [(key: SectionKey, items: [Int])] {
        let request = FetchRequest<Item>(sortBy: [SortDescriptor(\.number)])
        let live = try FetchedResultsController(request, sectionBy: keyPath, in: context)
        var recorder = ResultsRecorder(live.snapshot)
        var mismatches: [String] = []
        live.onChange = { change in
            do { try recorder.replay(change) } catch { mismatches.append("\(error)") }
        }
        var items: [Item] = []
        for (number, value) in values.enumerated() {
            let item = Item(context: context)
            item.number = number
            set(item, value)
            items.append(item)
            context.processPendingChanges()
        }
        // Each has each value once.
        for shift in 1..<max(2, values.count) {
            for (number, item) in items.enumerated() {
                set(item, values[(number + shift) % values.count])
            }
            context.processPendingChanges()
            let fresh = try FetchedResultsController(request, sectionBy: keyPath, in: context)
            expectSame(live.snapshot, fresh.snapshot)
        }
        for (item, value) in zip(items, values) { set(item, value) }
        context.processPendingChanges()
        let fresh = try FetchedResultsController(request, sectionBy: keyPath, in: context)
        expectSame(live.snapshot, fresh.snapshot)
        #expect(mismatches == [])
        #expect(live.snapshot.brokenInvariant == nil)
        let sections: [(key: SectionKey, items: [Int])] = live.sections.map {
            ($0.key, $0.objects.map(\.number))
        }
        // The next call begins without them.
        for item in items { context.delete(item) }
        context.processPendingChanges()
        #expect(live.sections.isEmpty)
        return sections
    }

    /// Expects the same items in sections of the same keys; what `Codable` values are called is up to the
    /// object that came first.
    private func expectSame(
        _ first: ResultsSnapshot<ObjectID>, _ second: ResultsSnapshot<ObjectID>
    ) {
        #expect(first.sectionIdentifiers == second.sectionIdentifiers)
        #expect(first.sections.map(\.range) == second.sections.map(\.range))
        #expect(Array(first.identifiers) == Array(second.identifiers))
    }

    /// The numbers of the items of each section of a property that can be written.
    private func items<Value: Hashable & Sendable>(
        by keyPath: ReferenceWritableKeyPath<Item, Value>, _ values: Value...
    ) throws -> [[Int]] {
        let sections = try sections(by: keyPath, of: values) { $0[keyPath: keyPath] = $1 }
        for (key, items) in sections {
            #expect(key == SectionKey(values[items[0]]))
            let value = values[items[0]]
            if let found = key.value {
                let isSame = found as? Value == value || value != value
                #expect(isSame, "\(found) is not \(value)")
            } else {
                #expect(key == .none)
            }
        }
        return sections.map(\.items)
    }

    // MARK: - Attributes

    @Test func `bytes of equal length are sections of their own`() throws {
        #expect(
            try items(by: \.data, Data([1, 2]), Data([3, 4]), Data([1, 2]), Data())
                == [[0, 2], [1], [3]])
    }

    @Test func `dates within one second are sections of their own`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 1000)
        #expect(try items(by: \.date, date, date + 0.25, date, nil) == [[0, 2], [1], [3]])
    }

    @Test func `zeros of either sign are one section`() throws {
        #expect(try items(by: \.double, 0.0, -0.0, 1, 0.0) == [[0, 1, 3], [2]])
        #expect(try items(by: \.float, -0.0, 0.0, 1, nil) == [[0, 1], [2], [3]])
    }

    @Test func `a section of zeros is called without a sign, whichever came first`() throws {
        let (first, second) = (Item(context: context), Item(context: context))
        (first.double, second.double) = (-0.0, 0.0)
        let results = try FetchedResultsController(
            FetchRequest<Item>(), sectionBy: \.double, in: context)
        #expect(results.sections.map(\.name) == ["0.0"])
        (first.date, second.date) = (
            Date(timeIntervalSinceReferenceDate: -0.0), Date(timeIntervalSinceReferenceDate: 0)
        )
        let dates = try FetchedResultsController(
            FetchRequest<Item>(), sectionBy: \.date, in: context)
        #expect(dates.sections.map(\.name) == ["2001-01-01T00:00:00Z"])
        context.delete(first)
        context.processPendingChanges()
        #expect(results.sections.map(\.name) == ["0.0"])
        #expect(dates.sections.map(\.name) == ["2001-01-01T00:00:00Z"])
    }

    @Test func `all that is not a number is one section`() throws {
        #expect(
            try items(by: \.double, .nan, -.nan, 1, .signalingNaN, .infinity)
                == [[0, 1, 3], [2], [4]])
        #expect(try items(by: \.float, .nan, nil, .nan) == [[0, 2], [1]])
        let never = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(try items(by: \.date, never, nil, never, .distantPast) == [[0, 2], [1], [3]])
    }

    @Test func `no value is a section of its own, which no text shares`() throws {
        #expect(
            try items(by: \.text, nil, "", "nil", nil, "Optional(\"b\")") == [
                [0, 3], [1], [2], [4],
            ])
    }

    @Test func `canonically equivalent texts are one section, and cases are not`() throws {
        #expect(try items(by: \.text, "é", "e\u{301}", "É", "e") == [[0, 1], [2], [3]])
    }

    @Test func `numbers of every type are told apart`() throws {
        #expect(try items(by: \.isTrue, true, false, true) == [[0, 2], [1]])
        #expect(try items(by: \.int8, 1, -1, nil, 1) == [[0, 3], [1], [2]])
        #expect(
            try items(by: \.uint64, .max, UInt64(Int64.max) + 1, 0, .max) == [[0, 3], [1], [2]])
        let (big, more) = (
            Decimal(1) / 3, Decimal(1) / 3 + Decimal(sign: .plus, exponent: -38, significand: 1)
        )
        #expect(try items(by: \.decimal, big, more, big, nil) == [[0, 2], [1], [3]])
    }

    @Test func `identifiers and addresses are told apart`() throws {
        let (one, two) = (UUID(), UUID())
        #expect(try items(by: \.uuid, one, two, one) == [[0, 2], [1]])
        let url = try #require(URL(string: "https://example.org/a"))
        let other = try #require(URL(string: "https://example.org/b"))
        #expect(try items(by: \.url, url, other, nil, url) == [[0, 3], [1], [2]])
    }

    @Test func `cases of enums are the keys`() throws {
        #expect(try items(by: \.kind, .second, .first, nil, .second) == [[0, 3], [1], [2]])
        let sections = try sections(by: \.kind, of: [.second, .first, nil]) { $0.kind = $1 }
        #expect(sections.first?.key.value as? SectionModel.Kind == .second)
        #expect(sections.map(\.key.name) == ["second", "first", ""])
    }

    @Test func `equal Codable values are one section however they are written`() throws {
        let tags: [Set<String>] = [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["a"]]
        #expect(try items(by: \.tags, tags[0], tags[1], tags[2], nil) == [[0, 1], [2], [3]])
        let (a, b) = (
            SectionModel.Colour(name: "Red", shade: 1), SectionModel.Colour(name: "red", shade: 2)
        )
        #expect(
            try items(by: \.colour, a, b, SectionModel.Colour(name: "blue", shade: 1))
                == [[0, 1], [2]])
    }

    // MARK: - Computed properties

    @Test func `a computed optional is told by what it wraps`() throws {
        let sections = try sections(by: \.initial, of: ["b", nil, "n", "b"]) { item, value in
            item.text = value.map { "\($0)x" }
        }
        #expect(
            sections.map(\.key) == [SectionKey(Character("b")), .none, SectionKey(Character("n"))])
        #expect(sections.map(\.key.name) == ["b", "", "n"])
        #expect(sections.map(\.items) == [[0, 3], [1], [2]])
        #expect(sections[0].key.value as? Character == "b")
    }

    @Test func `computed values are told apart by themselves, not by their descriptions`() throws {
        let sections = try sections(by: \.taciturn, of: [1, 2, 1].map(SectionModel.Taciturn.init)) {
            $0.int8 = Int8($1.number)
        }
        #expect(sections.map(\.items) == [[0, 2], [1]])
        #expect(sections.map(\.key.name) == ["…", "…"])
    }

    @Test func `a computed number that is none is one section`() throws {
        let sections = try sections(by: \.half, of: [.nan, 1, .nan, 0, -0.0]) {
            $0.double = $1 * 2
        }
        #expect(sections.map(\.items) == [[0, 2], [1], [3, 4]])
    }

    @Test func `what does not compare is told by its description`() throws {
        for (number, text) in ["a", "b", "a", nil].enumerated() {
            let item = Item(context: context)
            (item.number, item.text) = (number, text)
        }
        let results = try FetchedResultsController(
            FetchRequest<Item>(sortBy: [SortDescriptor(\.number)]), sectionBy: \.incomparable,
            in: context)
        #expect(results.sections.map(\.name) == ["<a>", "<b>", ""])
        #expect(results.sections.map(\.objects.count) == [2, 1, 1])
    }

    // MARK: - Relationships

    @Test func `related objects, their properties and their numbers make sections`() throws {
        let (one, two) = (
            SectionModel.Owner(context: context), SectionModel.Owner(context: context)
        )
        (one.date, two.date) = (Date(timeIntervalSinceReferenceDate: 1), nil)
        for (number, owner) in [one, nil, two, one].enumerated() {
            let item = Item(context: context)
            (item.number, item.owner) = (number, owner)
        }
        let request = FetchRequest<Item>(sortBy: [SortDescriptor(\.number)])
        let byOwner = try FetchedResultsController(request, sectionBy: \.owner, in: context)
        #expect(
            byOwner.sections.map(\.key)
                == [SectionKey(one.objectID), .none, SectionKey(two.objectID)])
        #expect(byOwner.sections[0].key.value as? ObjectID == one.objectID)
        let byDate = try FetchedResultsController(request, sectionBy: \.owner?.date, in: context)
        #expect(
            byDate.sections.map(\.key) == [
                SectionKey(Date(timeIntervalSinceReferenceDate: 1)), .none,
            ])
        #expect(byDate.sections.map(\.objects.count) == [2, 2])
        let byCount = try FetchedResultsController(
            request, sectionBy: \.owner?.items.count, in: context)
        #expect(byCount.sections.map(\.key) == [SectionKey(2), .none, SectionKey(1)])
        #expect(byCount.sections[0].key.value as? Int == 2)
    }

    @Test func `a section whose owner gets another value that reads the same is renamed`() throws {
        let owner = SectionModel.Owner(context: context)
        owner.date = Date(timeIntervalSinceReferenceDate: 1)
        let item = Item(context: context)
        item.owner = owner
        let results = try FetchedResultsController(
            FetchRequest<Item>(), sectionBy: \.owner?.date, in: context)
        var recorder = ResultsRecorder(results.snapshot)
        owner.date = Date(timeIntervalSinceReferenceDate: 1.5)
        var change: ResultsChange<ObjectID>?
        results.onChange = { change = $0 }
        context.processPendingChanges()
        let rename = try #require(change?.difference.sectionRenames.first)
        #expect(rename.oldName == rename.name)
        #expect(rename.oldKey.value as? Date == Date(timeIntervalSinceReferenceDate: 1))
        #expect(rename.key.value as? Date == owner.date)
        try recorder.replay(try #require(change))
        #expect(recorder.sections.map(\.key) == [SectionKey(owner.date)])
    }

    // MARK: - Order

    @Test func `sections come as the request sorts by their keys, descending too`() throws {
        let dates = [3.25, 1, 3.5, 1, 2].map { Date(timeIntervalSinceReferenceDate: $0) }
        for (number, date) in (dates + [nil]).enumerated() {
            let item = Item(context: context)
            (item.number, item.date) = (number, date)
        }
        let distinct = [1, 2, 3.25, 3.5].map {
            SectionKey(Date(timeIntervalSinceReferenceDate: $0))
        }
        for order in [SortOrder.forward, .reverse] {
            let results = try FetchedResultsController(
                FetchRequest<Item>(sortBy: [SortDescriptor(\.date, order: order)]),
                sectionBy: \.date, in: context)
            #expect(
                results.snapshot.sectionIdentifiers
                    == (order == .forward ? [.none] + distinct : distinct.reversed() + [.none]))
        }
    }

    // MARK: - Closures

    @Test func `a closure makes the key and the name`() throws {
        for (number, text) in ["Apple", "avocado", "Banana"].enumerated() {
            let item = Item(context: context)
            (item.number, item.text) = (number, text)
        }
        let request = FetchRequest<Item>(sortBy: [SortDescriptor(\.number)])
        let results = try FetchedResultsController(request, in: context) { item in
            (key: item.text?.first?.lowercased().first, name: "\(item.text?.first ?? "-")…")
        }
        #expect(
            results.sections.map(\.key) == [SectionKey(Character("a")), SectionKey(Character("b"))])
        #expect(results.sections.map(\.name) == ["A…", "B…"])
        #expect(results.sectionIndexTitles == ["A", "B"])

        var recorder = ResultsRecorder(results.snapshot)
        var changes: [ResultsChange<ObjectID>] = []
        results.onChange = { changes.append($0) }
        // The first of a section calls it.
        try #require(results.objects.first).number = 3
        context.processPendingChanges()
        #expect(results.sections.map(\.name) == ["a…", "B…"])
        #expect(changes.map(\.difference.sectionRenames.count) == [1])
        for change in changes { try recorder.replay(change) }
        let frozen = try FetchedResultsController(request, in: context.snapshot()) { item in
            (key: item.number % 2, name: "")
        }
        #expect(frozen.sections.map(\.key) == [SectionKey(1), SectionKey(0)])
    }

    // MARK: - Keys

    @Test func `keys of one value are equal, be it optional or not`() {
        #expect(SectionKey("a") == "a")
        #expect(SectionKey("a" as String?) == "a")
        #expect(SectionKey("a" as String??) == "a")
        #expect(SectionKey(nil as String?) == .none)
        #expect(SectionKey(nil as Character?) == .none)
        #expect(SectionKey(1) != "1")
        #expect(SectionKey.none != "")
        #expect(SectionKey.none != "nil")
        #expect(SectionKey(Double.nan).hashValue == SectionKey(-Double.nan).hashValue)
        #expect(SectionKey(0.0).hashValue == SectionKey(-0.0).hashValue)
        #expect(Set([SectionKey(1), SectionKey(1), SectionKey(2), .none]).count == 3)
    }

    @Test func `a key with dates is described, be they numbers or not`() {
        let (zero, never) = (
            Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: .nan)
        )
        let text = "2001-01-01T00:00:00Z"
        #expect(SectionKey(zero).description == text)
        #expect(SectionKey([zero]).description == "[\(text)]")
        #expect(SectionKey([[zero]]).description == "[[\(text)]]")
        #expect(SectionKey(Set([zero])).description == "[\(text)]")
        #expect(SectionKey(["a": zero]).description == "[\"a\": \(text)]")
        #expect(SectionKey(["a", "b"]).description == "[\"a\", \"b\"]")
        #expect(SectionKey([String: Int]()).description == "[:]")
        #expect(GroupID(zero).description == text)
        #expect(GroupID("a").description == "\"a\"")
        #expect(GroupID(GroupKeys("a", Optional(zero))).description == "(\"a\", \(text))")
        let unknown = [
            SectionKey(never).description, SectionKey([never]).description,
            SectionKey(Set([never])).description, SectionKey([1: never]).description,
            GroupID(never).description, GroupID(Optional(never)).description,
            GroupID(GroupKeys(never, 1)).description,
        ]
        #expect(unknown.allSatisfy { !$0.isEmpty })
    }
}

/// A class with attributes of many types, which sections are made of.
private enum SectionModel {
    enum Kind: String, CaseIterable, Codable, AttributeValue { case first, second }

    /// Equal without regard to case and shade.
    struct Colour: CodableAttribute, Hashable {
        var name = ""
        var shade = 0

        static func == (left: Self, right: Self) -> Bool {
            left.name.lowercased() == right.name.lowercased()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(name.lowercased()) }
    }

    /// Reads the same whatever it is.
    struct Taciturn: Hashable, Sendable, CustomStringConvertible {
        var number: Int
        var description: String { "…" }
    }

    struct Incomparable: CustomStringConvertible {
        var description: String
    }

    final class Item: ManagedObject {
        @Attribute var number = 0
        @Attribute var isTrue = false
        @Attribute var int8: Int8?
        @Attribute var uint64: UInt64 = 0
        @Attribute var decimal: Decimal?
        @Attribute var double = 0.0
        @Attribute var float: Float?
        @Attribute var text: String?
        @Attribute var date: Date?
        @Attribute var uuid = UUID()
        @Attribute var data = Data()
        @Attribute var url: URL?
        @Attribute var kind: Kind?
        @Attribute var tags: Set<String>?
        @Attribute var colour = Colour()
        @Relationship(inverse: \Owner.items) var owner: Owner?

        var initial: Character? { text?.first }
        var taciturn: Taciturn { Taciturn(number: Int(int8 ?? 0)) }
        var half: Double { double / 2 }
        var incomparable: Incomparable? { text.map { Incomparable(description: "<\($0)>") } }
    }

    final class Owner: ManagedObject {
        @Attribute var date: Date?
        @Relationship var items: ObjectSet<Item>
    }
}
