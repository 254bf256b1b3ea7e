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
    }

    /// A leaf of the tree of assemblies.
    struct BaseAssembly {
        let number: Int
        let buildDate: Int
        /// The numbers of the composite parts, each once.
        let composites: [Int]
    }

    static let partsPerComposite = 20
    static let connectionsPerPart = 3
    static let composites = 500
    static let levels = 7
    static let fan = 3

    let composites: [Composite]
    /// In the order of the tree.
    let bases: [BaseAssembly]
    /// Composite parts that are inserted and deleted, and the base assemblies that get them.
    let additions: [(composite: Composite, bases: [Int])]
    /// The ids that Q1 looks up.
    let lookedUpParts: [Int]
    /// The titles that Q4 looks up.
    let lookedUpTitles: [String]

    /// How many parts a walk over all base assemblies visits.
    var visitedParts: Int { bases.count * Self.fan * Self.partsPerComposite }

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        composites = (0..<Self.composites).map { Self.composite($0, &random) }
        let count = (1..<Self.levels).reduce(1) { count, _ in count * Self.fan }
        bases = (0..<count).map { number in
            var numbers: Set<Int> = []
            while numbers.count < Self.fan { numbers.insert(random.index(below: Self.composites)) }
            return BaseAssembly(
                number: number, buildDate: 1_000 + random.index(below: 1_000),
                composites: numbers.sorted())
        }
        additions = (0..<5).map { number in
            let composite = Self.composite(Self.composites + number, &random)
            var numbers: Set<Int> = []
            while numbers.count < 10 { numbers.insert(random.index(below: count)) }
            return (composite, numbers.sorted())
        }
        lookedUpParts = (0..<10).map { _ in
            random.index(below: Self.composites * Self.partsPerComposite)
        }
        lookedUpTitles = (0..<100).map { _ in Self.title(random.index(below: Self.composites)) }
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
