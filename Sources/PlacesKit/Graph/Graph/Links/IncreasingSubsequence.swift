/// Returns the indices of the heaviest strictly increasing subsequence of distinct values.
///
/// With all weights 1 it is the longest increasing subsequence: what can stay where it is when
/// everything else is moved around it.
///
/// - Parameters:
///   - values: Distinct numbers, such as new positions in the order of the old ones.
///   - weights: A positive weight for each value, or nil for all 1.
/// - Returns: Ascending indices into `values`.
/// - Complexity: O(*m* log *m*) for *m* values, O(*m*) if they increase already.
func heaviestIncreasingSubsequence(of values: [Int], weights: [Int]? = nil) -> [Int] {
    if zip(values, values.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(values.indices) }

    // A Fenwick tree over the ranks of the values: each node knows the heaviest subsequence that
    // ends in one of its ranks, by the index of its last element.
    var tree = [Int?](repeating: nil, count: values.count + 1)
    var totals = weights ?? Array(repeating: 1, count: values.count)
    var predecessors = [Int?](repeating: nil, count: values.count)
    var heaviest: Int?
    func heavier(_ one: Int?, _ other: Int?) -> Int? {
        guard let one, let other else { return one ?? other }
        return totals[other] > totals[one] ? other : one
    }

    var ranks = [Int](repeating: 0, count: values.count)
    for (rank, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
        ranks[index] = rank + 1
    }
    for index in values.indices {
        var node = ranks[index] - 1
        while node > 0 {
            predecessors[index] = heavier(predecessors[index], tree[node])
            node &= node - 1
        }
        totals[index] += predecessors[index].map { totals[$0] } ?? 0
        heaviest = heavier(heaviest, index)
        node = ranks[index]
        while node < tree.count {
            tree[node] = heavier(tree[node], index)
            node += node & -node
        }
    }
    var subsequence: [Int] = []
    while let index = heaviest {
        subsequence.append(index)
        heaviest = predecessors[index]
    }
    return subsequence.reversed()
}
