/// The data of OO7, the benchmark of object databases, in its small configuration, by a seed.
///
/// - Source: M. Carey, D. DeWitt, J. Naughton, *The OO7 Benchmark*, SIGMOD 1993, table 1.
struct OO7World {
    /// A part of a design.
    struct Part {
        let id: Int
        let x: Int
        let y: Int
        let buildDate: Int
        /// The number of the document that mentions it, which need not be that of its design.
        let document: Int
        /// Where its connections lead, by the ids of parts.
        let connections: [Connection]
    }

    struct Connection {
        let destination: Int
        let length: Int
    }

    /// A design: parts, of which the first is the root, and a document.
    struct Composite {
        let number: Int
        let title: String
        let text: String
        let buildDate: Int
        let parts: [Part]
        /// The numbers of the base assemblies that use it, each once.
        var users: [Int] = []
    }

    /// An assembly: of designs, if it is a leaf of the tree, or of others.
    struct Assembly {
        let number: Int
        let buildDate: Int
        /// The number of the assembly that it is part of; `nil` for the root.
        let parent: Int?
    }

    static let partsPerComposite = 20
    static let connectionsPerPart = 3
    static let composites = 500
    static let levels = 7
    static let fan = 3

    let composites: [Composite]
    /// The assemblies by number: the base assemblies, then those of the level above, and so on; the last is the
    /// root.
    let assemblies: [Assembly]
    let baseCount: Int
    /// Composite parts that are inserted and deleted.
    let additions: [Composite]
    /// The ids that Q1 looks up.
    let lookedUpParts: [Int]
    /// The titles that Q4 looks up.
    let lookedUpTitles: [String]

    /// How many parts a walk over all base assemblies visits.
    var visitedParts: Int { baseCount * Self.fan * Self.partsPerComposite }

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var composites = (0..<Self.composites).map { Self.composite($0, &random) }
        let count = (1..<Self.levels).reduce(1) { count, _ in count * Self.fan }
        var dates: [Int] = []
        for number in 0..<count {
            var used: Set<Int> = []
            while used.count < Self.fan { used.insert(random.index(below: Self.composites)) }
            dates.append(1_000 + random.index(below: 1_000))
            for composite in used.sorted() { composites[composite].users.append(number) }
        }
        self.composites = composites
        baseCount = count
        assemblies = Self.tree(over: dates)
        additions = (0..<5).map { number in
            var composite = Self.composite(Self.composites + number, &random)
            var users: Set<Int> = []
            while users.count < 10 { users.insert(random.index(below: count)) }
            composite.users = users.sorted()
            return composite
        }
        lookedUpParts = (0..<10).map { _ in
            random.index(below: Self.composites * Self.partsPerComposite)
        }
        lookedUpTitles = (0..<100).map { _ in Self.title(random.index(below: Self.composites)) }
    }

    /// The tree whose leaves have some dates.
    private static func tree(over dates: [Int]) -> [Assembly] {
        var assemblies: [Assembly] = []
        // The first number of the level at hand, and how many assemblies it has.
        var (first, count) = (0, dates.count)
        while count > 0 {
            for index in 0..<count {
                assemblies.append(
                    Assembly(
                        number: first + index, buildDate: first == 0 ? dates[index] : 0,
                        parent: count == 1 ? nil : first + count + index / fan))
            }
            (first, count) = (first + count, count / fan)
        }
        return assemblies
    }

    private static func composite(_ number: Int, _ random: inout SplitMix64) -> Composite {
        // One design in ten is younger than all assemblies.
        let isYoung = random.index(below: 10) == 0
        let first = number * partsPerComposite
        let parts = (0..<partsPerComposite).map { index in
            Part(
                id: first + index, x: random.index(below: 100_000), y: random.index(below: 100_000),
                buildDate: random.index(below: 1_000),
                document: random.index(below: composites),
                connections: (0..<connectionsPerPart).map { connection in
                    // The first connections are a ring, so that every part is reached from the root.
                    let destination =
                        connection == 0
                        ? (index + 1) % partsPerComposite : random.index(below: partsPerComposite)
                    return Connection(
                        destination: first + destination, length: random.index(below: 1_000))
                })
        }
        return Composite(
            number: number, title: title(number),
            text: String(repeating: "The documentation of composite part \(number). ", count: 40),
            buildDate: (isYoung ? 2_000 : 0) + random.index(below: 1_000), parts: parts)
    }

    private static func title(_ number: Int) -> String { "Composite Part \(number)" }
}
