import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct IncreasingSubsequenceTests {
    @Test func `values that increase stay all`() {
        #expect(heaviestIncreasingSubsequence(of: []) == [])
        #expect(heaviestIncreasingSubsequence(of: [3, 5, 9]) == [0, 1, 2])
    }

    @Test func `the longest is found`() {
        #expect(heaviestIncreasingSubsequence(of: [9, 1, 8, 2, 3, 7]) == [1, 3, 4, 5])
    }

    @Test func `a heavy value outweighs a longer subsequence`() {
        #expect(heaviestIncreasingSubsequence(of: [1, 2, 0], weights: [1, 1, 3]) == [2])
        #expect(heaviestIncreasingSubsequence(of: [1, 2, 0], weights: [2, 2, 3]) == [0, 1])
    }

    @Test func `on all permutations of six values none is heavier`() {
        forEachPermutation(of: Array(0..<6)) { values in
            let weights = values.map { 1 + $0 * $0 % 5 }
            let chosen = heaviestIncreasingSubsequence(of: values, weights: weights)
            #expect(chosen == chosen.sorted())
            #expect(isIncreasing(chosen.map { values[$0] }))
            let heaviest = (0..<64).map { set in values.indices.filter { set & (1 << $0) != 0 } }
                .filter { isIncreasing($0.map { values[$0] }) }
                .map { $0.reduce(0) { $0 + weights[$1] } }
                .max()
            #expect(chosen.reduce(0) { $0 + weights[$1] } == heaviest, "\(values)")
        }
    }

    private func isIncreasing(_ values: [Int]) -> Bool {
        zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
    }
}
