import PlacesKit

/// All results there can be of a few items, without sections or in up to three of them.
///
/// Two states differ only by names from a pair that begins with the first items in order and the
/// first sections in order, so only these need be tried as the state before.
struct SmallWorld {
    typealias State = ResultsSnapshot<Int>

    static let sectionNames = ["A", "B", "C"]

    var befores: [State]
    var afters: [State]

    /// All results without sections.
    init(items: Int) {
        befores = (0...items).map { ResultsSnapshot(Array(0..<$0)) }
        var afters: [State] = []
        forEachArrangement(of: Array(0..<items)) { afters.append(ResultsSnapshot($0)) }
        self.afters = afters
    }

    /// All results with up to as many sections.
    init(items: Int, sections: Int) {
        let names = Array(Self.sectionNames.prefix(sections))
        var befores: [State] = []
        for count in 0...items {
            for cuts in Self.compositions(of: count, atMost: sections) {
                befores.append(Self.state(Array(0..<count), cuts, names))
            }
        }
        var afters: [State] = []
        forEachArrangement(of: Array(0..<items)) { arrangement in
            for cuts in Self.compositions(of: arrangement.count, atMost: sections) {
                forEachArrangement(of: names) { names in
                    guard names.count == cuts.count else { return }
                    afters.append(Self.state(arrangement, cuts, names))
                }
            }
        }
        self.befores = befores
        self.afters = afters
    }

    private static func state(_ items: [Int], _ sizes: [Int], _ names: [String]) -> State {
        var rest = items[...]
        return ResultsSnapshot(
            sections: zip(names, sizes).map { name, size in
                defer { rest = rest.dropFirst(size) }
                return (name, Array(rest.prefix(size)))
            })
    }

    /// The ways to write a number as a sum of at most so many positive ones.
    private static func compositions(of number: Int, atMost parts: Int) -> [[Int]] {
        guard number > 0 else { return [[]] }
        guard parts > 0 else { return [] }
        return (1...number).flatMap { first in
            compositions(of: number - first, atMost: parts - 1).map { [first] + $0 }
        }
    }
}

/// Visits every order of the elements.
func forEachPermutation<Element>(of elements: [Element], _ body: ([Element]) -> Void) {
    func visit(_ chosen: [Element], _ rest: [Element]) {
        guard !rest.isEmpty else { return body(chosen) }
        for index in rest.indices {
            var others = rest
            visit(chosen + [others.remove(at: index)], others)
        }
    }
    visit([], elements)
}

/// Visits every order of every subset of the elements.
func forEachArrangement<Element>(of elements: [Element], _ body: ([Element]) -> Void) {
    for set in 0..<(1 << elements.count) {
        forEachPermutation(
            of: elements.indices.filter { set & (1 << $0) != 0 }.map { elements[$0] }, body)
    }
}
