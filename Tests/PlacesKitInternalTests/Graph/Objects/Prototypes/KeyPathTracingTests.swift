import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Which key paths are chains of managed properties, and which are computed.
@Suite struct KeyPathTracingTests {
    final class Work: ManagedObject {
        @Attribute var title: String
        @Attribute var rating = 0
        @Attribute var small: Int8 = 0
        @Attribute var count: UInt8 = 0
        @Attribute var price: Double?
        @Attribute var isOpen = false
        @Attribute var made = Date.distantPast
        @Attribute var link: URL?
        @Attribute var blob: Data?
        @Attribute var kind = Kind.oil
        @Attribute var identifier = UUID()
        @Relationship(inverse: \Artist.works) var artist: Artist?
        @Relationship(inverse: \Work.copies) var original: Work?
        @Relationship var copies: ObjectSet<Work>

        var alias: String { title }
        var upper: String { title.uppercased() }
        var trimmed: String { title.trimmingCharacters(in: .whitespaces) }
        // swift-format-ignore: NeverForceUnwrap
        var initial: String { String(title.first!) }
        var stars: String { String(repeating: "*", count: rating) }
        var next: Int { rating + 1 }
        var square: Int { rating * rating }
        var smallSquare: Int8 { small * small }
        var previous: UInt8 { count - 1 }
        var share: Int { 100 / rating }
        var absolute: Int { abs(rating) }
        var positive: Int { max(rating, 0) }
        var capped: Int { min(rating, 1_000) }
        var known: Double { price ?? 0 }
        var negated: Bool { !isOpen }
        var constant: Int { 42 }
        var both: String { isOpen ? title : artist?.name ?? "" }
        var year: Int { Calendar(identifier: .gregorian).component(.year, from: made) }
        var copyTitles: [String] { copies.map(\.title) }
        var sortedCopies: [Work] { copies.sorted { $0.title < $1.title } }
        var firstCopy: Work? { copies.first }
        var firstTitle: String? { copies.first?.title }
        var twice: Int { copies.count * 2 }
        var copyCount: Int { copies.count }
        var openCopies: Int { copies.filter(\.isOpen).count }
        var bestRating: Int { copies.map(\.rating).max() ?? 0 }
        var artistName: String? { artist?.name ?? title }
        var author: String { artist?.name ?? "unknown" }
        var source: Work? { original ?? copies.first }
        // swift-format-ignore: NeverForceUnwrap
        var mustArtist: Artist { artist! }
        // swift-format-ignore: NeverForceUnwrap
        var forced: Date? { artist!.home!.founded }
        var artistHome: Town? { artist?.home }
        var many: Int { (0..<40).reduce(0) { sum, _ in sum + rating } }
        var sixteen: Int { (0..<16).reduce(0) { max($0, rating + $1 - $1) } }
        var hasCopies: Bool { !copies.isEmpty }
        var otherCopies: ObjectSet<Work> { original?.copies ?? copies }
    }

    enum Kind: String, CaseIterable, AttributeValue { case oil, ink }

    final class Artist: ManagedObject {
        @Attribute var name: String
        @Relationship var works: ObjectSet<Work>
        @Relationship var home: Town?
        @Relationship var birthplace: Town?

        var town: Town? { home ?? birthplace }
        var patron: Town? { home }
    }

    /// The names of the properties that a key path goes through.
    private func names(_ keyPath: PartialKeyPath<Work>) throws -> String {
        let schema = try ObjectModel([Work.self, Artist.self] + TownModel.types).schema
        func name(_ slots: [Slot]) -> String {
            var entity = schema.entities[0]
            var names: [String] = []
            for slot in slots {
                names.append(entity.properties[slot].name)
                let destination = entity.properties[slot].relationship?.destination ?? ""
                entity = schema.entity(named: destination) ?? entity
            }
            return names.joined(separator: ".")
        }
        return switch Prototypes.resolve(keyPath) {
        case .property(let slots): name(slots)
        case .count(let slots): "count of " + name(slots)
        case .identity(let slots): "identity of " + name(slots)
        case .composite(let slots, _, _): "parts from " + name(slots)
        case nil: "computed"
        }
    }

    @Test func `attributes of every type are found`() throws {
        let keyPaths: [(PartialKeyPath<Work>, String)] = [
            (\.title, "title"), (\.rating, "rating"), (\.small, "small"), (\.count, "count"),
            (\.price, "price"), (\.isOpen, "isOpen"), (\.made, "made"), (\.link, "link"),
            (\.blob, "blob"), (\.kind, "kind"), (\.identifier, "identifier"),
        ]
        for (keyPath, name) in keyPaths { #expect(try names(keyPath) == name) }
    }

    @Test func `chains of relationships are found`() throws {
        #expect(try names(\.artist) == "artist")
        #expect(try names(\.artist?.name) == "artist.name")
        #expect(try names(\.artist?.home?.land?.name) == "artist.home.land.name")
        #expect(
            try names(\.original?.original?.original?.rating) == "original.original.original.rating"
        )
        #expect(try names(\.copies) == "copies")
        #expect(try names(\.original?.artist) == "original.artist")
        #expect(try names(\.artist?.works) == "artist.works")
    }

    @Test func `counts and identifiers are found`() throws {
        #expect(try names(\.copies.count) == "count of copies")
        #expect(try names(\.artist?.works.count) == "count of artist.works")
        #expect(try names(\.objectID) == "identity of ")
        #expect(try names(\.id) == "identity of ")
        #expect(try names(\.artist?.objectID) == "identity of artist")
    }

    @Test func `a property that only passes another on is that other`() throws {
        #expect(try names(\.alias) == "title")
        #expect(try names(\.artist?.patron) == "artist.home")
    }

    @Test func `a chain forced through its links is a chain`() throws {
        #expect(try names(\.artist!.name) == "artist.name")
        #expect(try names(\.artist!.home!.founded) == "artist.home.founded")
    }

    @Test func `an attribute that is unwrapped by force at the end is left to the objects`() {
        let keyPaths: [AnyKeyPath] = [
            \Work.price!, \Work.original?.price!, \Work.original!.price!, \Sheet.note!,
            \Sheet.noteOrNone!, \Sheet.place!, \Sheet.place!.latitude, \Sheet.next?.place!,
        ]
        for keyPath in keyPaths { #expect(Prototypes.resolve(keyPath) == nil, "\(keyPath)") }
        #expect(Prototypes.resolve(\Sheet.next!) != nil)
        #expect(Prototypes.resolve(\Sheet.next?.previous!) != nil)
        #expect(Prototypes.resolve(\Sheet.next!.place?.latitude) != nil)
    }

    /// Properties that stop wherever they are read.
    final class Riddle: ManagedObject {
        @Attribute var text = ""
        @Attribute var number: Int?
        @Attribute var lines: [String] = []
        @Composite var place: Coordinate?
        @Relationship(inverse: \Riddle.answers) var question: Riddle?
        @Relationship var answers: ObjectSet<Riddle>

        var rank: Int { preconditionFailure("asked for its rank") }
        var weight: Double? { preconditionFailure("asked for its weight") }
        var words: [String] { preconditionFailure("asked for its words") }
        var spot: Coordinate { preconditionFailure("asked for its spot") }
        var source: Riddle { preconditionFailure("asked for its source") }
        var pair: (Int, Int) { preconditionFailure("asked for its pair") }
    }

    @Test func `what no chain of properties can be is not even read`() {
        let keyPaths: [AnyKeyPath] = [
            \Riddle.rank, \Riddle.weight, \Riddle.words, \Riddle.spot, \Riddle.source,
            \Riddle.pair, \Riddle.lines[0], \Riddle.source.text, \Riddle.words[1].count,
            \Riddle.question?.weight, \Riddle.question?.source.text,
        ]
        for keyPath in keyPaths { #expect(Prototypes.resolve(keyPath) == nil, "\(keyPath)") }
    }

    @Test func `what stands in for a missing link is only computed`() throws {
        let keyPaths: [PartialKeyPath<Work>] = [
            \.author, \.artistName, \.source, \.source?.title, \.mustArtist, \.mustArtist.name,
            \.artist?.town, \.artist?.town?.name, \.copyCount, \.forced, \.artistHome?.name,
        ]
        for keyPath in keyPaths { #expect(try names(keyPath) == "computed", "\(keyPath)") }
    }

    @Test func `computed properties are told from plain ones`() throws {
        let keyPaths: [PartialKeyPath<Work>] = [
            \.upper, \.trimmed, \.absolute, \.positive, \.capped, \.known, \.negated, \.constant,
            \.both, \.year, \.many, \.sixteen, \.title.count, \.artist?.name.count, \.isDeleted,
            \.otherCopies,
        ]
        for keyPath in keyPaths { #expect(try names(keyPath) == "computed", "\(keyPath)") }
    }

    @Test func `computed properties that would stop on extreme values are only computed`() throws {
        let keyPaths: [PartialKeyPath<Work>] = [
            \.initial, \.stars, \.next, \.square, \.smallSquare, \.previous, \.share,
        ]
        for keyPath in keyPaths { #expect(try names(keyPath) == "computed", "\(keyPath)") }
    }

    /// Properties that return the values of the attribute before them as they are, but for a few.
    final class Sheet: ManagedObject {
        @Attribute var text = ""
        var fileName: String { text.components(separatedBy: "/").last ?? "" }
        var label: String { text.replacingOccurrences(of: "_", with: " ") }
        var trimmed: String { text.trimmingCharacters(in: CharacterSet(charactersIn: "\t ")) }
        var firstLine: String { text.components(separatedBy: "\n")[0] }
        var name: String { NSString(string: text).deletingPathExtension }
        var sortName: String {
            let text = text
            return text.hasPrefix("The ") ? String(text.dropFirst(4)) : text
        }
        var shown: String {
            let text = text
            return text == "nil" ? "" : text
        }
        var unquoted: String { text.replacing("\"", with: "") }
        var decoded: String { text.removingPercentEncoding ?? text }
        var plain: String { text.replacing("\u{a0}", with: " ").replacing("’", with: "'") }
        var composed: String { text.precomposedStringWithCanonicalMapping }
        var beginning: String { String(text.prefix(5_000)) }
        var inWords: String { text.replacing("2", with: "two") }

        @Attribute var count = 0
        var atLeast: Int { max(count, -50_000) }
        var atMost: Int { min(count, 1 << 60) }
        var orNone: Int {
            let count = count
            return count == .max ? 0 : count
        }
        var noPercent: Int {
            let count = count
            return count == 100 ? 99 : count
        }

        @Attribute var small: Int16 = 0
        var smallOrNone: Int16 {
            let small = small
            return small == .min ? 0 : small
        }

        @Attribute var number = 0.0
        var safe: Double {
            let number = number
            return number.isNaN ? 0 : number
        }
        var finite: Double {
            let number = number
            return number.isInfinite ? 0 : number
        }
        var unsigned: Double {
            let number = number
            return number == 0 ? 0 : number
        }
        var halves: Double {
            let number = number
            return abs(number) < 1 ? (number * 4).rounded() / 4 : number
        }

        @Attribute var float: Float = 0
        var safeFloat: Float {
            let float = float
            return float.isNaN ? 0 : float
        }

        @Attribute var price = Decimal(0)
        var cents: Decimal {
            let price = price
            return price == Decimal(string: "100.005") ? 100 : price
        }

        @Attribute var time = Date.distantPast
        var known: Date {
            let time = time
            return time == .distantFuture ? .distantPast : time
        }
        var afterMoonLanding: Date { max(time, Date(timeIntervalSinceReferenceDate: -2e9)) }

        @Attribute var key = UUID()
        var keyOrNone: UUID? {
            let key = key
            return key.uuidString.hasPrefix("00000000") ? nil : key
        }

        @Attribute var link: URL?
        var secure: URL? {
            let link = link
            guard let link, link.scheme == "http" else { return link }
            return URL(string: "https" + link.absoluteString.dropFirst(4))
        }

        @Attribute var bytes = Data()
        var withoutMark: Data {
            let bytes = bytes
            return bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
        }

        @Attribute var step = Step.a
        var usualStep: Step {
            let step = step
            return step == .g ? .a : step
        }

        @Attribute var heat: Heat?
        @Composite var place: Coordinate?
        @Attribute var note: String?
        var noteOrNone: String? {
            let note = note
            return note == "" ? nil : note
        }
        @Relationship(inverse: \Sheet.previous) var next: Sheet?
        @Relationship var previous: Sheet?
    }

    enum Step: String, CaseIterable, AttributeValue { case a, b, c, d, e, f, g, h }

    /// A number that is not ready for what is none.
    struct Heat: AttributeValue {
        var degrees = 0.0
        init?(stored: Double) {
            precondition(stored.isFinite)
            degrees = stored
        }
        var stored: Double { degrees }
    }

    @Test func `computed properties that change few values are told from plain ones`() {
        let keyPaths: [PartialKeyPath<Sheet>] = [
            \.fileName, \.label, \.trimmed, \.firstLine, \.name, \.sortName, \.shown, \.unquoted,
            \.decoded, \.plain, \.composed, \.beginning, \.inWords, \.atLeast, \.atMost, \.orNone,
            \.noPercent, \.smallOrNone, \.safe, \.finite, \.unsigned, \.halves, \.safeFloat,
            \.cents, \.known, \.afterMoonLanding, \.noteOrNone, \.keyOrNone, \.secure,
            \.withoutMark, \.usualStep,
        ]
        for keyPath in keyPaths { #expect(Prototypes.resolve(keyPath) == nil, "\(keyPath)") }
        // At the end of a chain too.
        let chains: [PartialKeyPath<Sheet>] = [
            \.next?.fileName, \.next?.beginning, \.next?.orNone, \.next?.safe, \.next?.noteOrNone,
            \.next?.next?.sortName, \.next?.next?.safe, \.next?.next?.next?.next?.safe,
        ]
        for keyPath in chains { #expect(Prototypes.resolve(keyPath) == nil, "\(keyPath)") }
    }

    @Test func `plain properties have all values that computed ones are told by`() {
        let keyPaths: [PartialKeyPath<Sheet>] = [
            \.text, \.count, \.small, \.number, \.float, \.price, \.time, \.key, \.link, \.bytes,
            \.step, \.heat,
        ]
        for (number, keyPath) in keyPaths.enumerated() {
            #expect(Prototypes.resolve(keyPath) == .property([Slot(number)]), "\(keyPath)")
        }
        let link = Slot(keyPaths.count + 3)
        #expect(Prototypes.resolve(\Sheet.next?.number) == .property([link, Slot(3)]))
        #expect(
            Prototypes.resolve(\Sheet.next?.next?.text) == .property([link, link, Slot(0)]))
        #expect(Prototypes.resolve(\Sheet.place?.latitude) == .property([Slot(keyPaths.count)]))
    }

    @Test func `computed properties over members are only computed`() throws {
        let keyPaths: [PartialKeyPath<Work>] = [
            \.copyTitles, \.sortedCopies, \.firstCopy, \.firstTitle, \.twice, \.openCopies,
            \.bestRating, \.hasCopies, \.copies.isEmpty, \.copies.first, \.copies.first?.rating,
        ]
        for keyPath in keyPaths { #expect(try names(keyPath) == "computed", "\(keyPath)") }
    }

    @Test func `sorting by a computed property asks each object`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Work.self, Artist.self] + TownModel.types))
        for (title, copies) in [("b", 2), ("a", 0), ("c", 1)] {
            let work = Work(context: context)
            work.title = title
            for number in 0..<copies {
                let copy = Work(context: context)
                copy.title = "\(title)\(number)"
                copy.original = work
            }
        }
        let request = FetchRequest<Work>(
            predicate: #Predicate { $0.original == nil },
            sortBy: [SortDescriptor(\.twice, order: .reverse)])
        #expect(try context.fetch(request).map(\.title) == ["b", "c", "a"])
    }

    @Test func `a key path of another root is not resolved`() {
        #expect(Prototypes.resolve(\String.count) == nil)
        #expect(Prototypes.resolve(\ObjectSet<Work>.count) == nil)
    }

    @Test func `writing to a prototype does nothing`() throws {
        #expect(try names(\.restless) == "computed")
        #expect(try names(\.alias) == "title")
        #expect(try names(\.copies.count) == "count of copies")
    }

    @Test func `key paths are resolved on many threads at once`() async throws {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<50).allSatisfy { _ in
                        let fresh: AnyKeyPath = \Work.artist?.works
                        return Prototypes.resolve(fresh) == .property([11, 1])
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}

extension KeyPathTracingTests.Work {
    /// Passes its value on, and writes besides.
    fileprivate var restless: Int {
        rating = 7
        title = "changed"
        artist = nil
        copies.removeAll()
        return rating
    }
}
