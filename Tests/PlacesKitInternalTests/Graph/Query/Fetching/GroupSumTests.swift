import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Sums of real numbers, which are exact until they are rounded, and how distinct values are counted.
@Suite struct GroupSumTests {
    @Test func `sums and averages of real numbers`() throws {
        try GroupTests.inWorlds { reader, all, note in
            let expected = PathCase(\.shelf?.name).groups(of: all).map(\.members)
            let real = try reader.groups(
                GroupRequest(by: \Specimen.shelf?.name, .sum(\.double), .sum(\.maybeFloat)))
            for (group, members) in zip(real, expected) {
                let floats = members.compactMap { $0.maybeFloat.map(Double.init) }
                #expect("\(group.1)" == "\(exactSum(members.map(\.double)))", "\(note)")
                #expect("\(group.2)" == "\(exactSum(floats))", "\(note)")
            }
            let averages = try reader.groups(
                GroupRequest(by: \Specimen.shelf?.name, .average(\.maybeDouble)))
            for (group, members) in zip(averages, expected) {
                let doubles = members.compactMap(\.maybeDouble)
                let average = doubles.isEmpty ? nil : exactSum(doubles) / Double(doubles.count)
                #expect("\(group.1 as Any)" == "\(average as Any)", "\(note)")
            }
        }
    }

    private func exactSum(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number, isAdded: true) }
        return sum.value
    }

    @Test func `many groups of many values are counted alike by bits and by marks`() {
        var random = SplitMix64(seed: 7)
        for (groupCount, valueCount) in [(3, 5), (3_000, 4_000), (1, 9_000), (5_000, 2)] {
            var groups = RowGroups(capacity: 10_000)
            var values = RowGroups(capacity: 10_000)
            var pairs = Array(repeating: Set<Int>(), count: groupCount)
            var known: [[Int: Int32]] = [[:], [:]]
            for _ in 0..<10_000 {
                let group = random.below(groupCount)
                let value = random.below(valueCount)
                func add(_ number: Int, to groups: inout RowGroups, _ known: inout [Int: Int32]) {
                    if let known = known[number] {
                        groups.append(known)
                    } else {
                        known[number] = groups.appendNew()
                    }
                }
                add(group, to: &groups, &known[0])
                if value == 0 {
                    values.appendNull()
                } else {
                    add(value, to: &values, &known[1])
                    pairs[group].insert(value)
                }
            }
            let counts = groups.distinctCounts(of: values)
            for (group, number) in known[0] {
                #expect(counts[Int(number)] == pairs[group].count)
            }
        }
    }
}
