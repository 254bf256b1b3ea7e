import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

@Suite struct ExactSumTests {
    private func sum(_ numbers: [Double]) -> ExactSum {
        var sum = ExactSum()
        for number in numbers { sum.add(number, isAdded: true) }
        return sum
    }

    @Test func `a sum is rounded once`() {
        #expect(sum([1, 1e100, 1, -1e100]).value == 2)
        #expect(sum([1e308, 1e308, -1e308]).value == 1e308)
        #expect(sum([1e308, 1e308]).value == .infinity)
        #expect(sum([0.1, 0.2, 0.3]).value == 0.6)
        #expect(sum([0x1p53, 1]).value == 0x1p53)
        #expect(sum([0x1p53, 1, 0x1p-1000]).value == 0x1p53 + 2)
        #expect(sum([-0x1p53, -1, -0x1p-1000]).value == -0x1p53 - 2)
        #expect(sum([.leastNonzeroMagnitude, .leastNonzeroMagnitude]).value == 0x1p-1073)
        #expect(sum([-0.0]).value.sign == .plus)
        #expect(sum([]).value == 0)
    }

    @Test func `what is not finite is counted`() {
        var sum = sum([1, .infinity, .nan])
        #expect(sum.value.isNaN)
        sum.add(.nan, isAdded: false)
        #expect(sum.value == .infinity)
        sum.add(-.infinity, isAdded: true)
        #expect(sum.value.isNaN)
        sum.add(.infinity, isAdded: false)
        #expect(sum.value == -.infinity)
        sum.add(-.infinity, isAdded: false)
        #expect(sum.value == 1)
    }

    @Test(arguments: [UInt64](1...4))
    func `a sum depends on what is in it, not on the way there`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var numbers: [Double] = []
        var running = ExactSum()
        for step in 0..<400 {
            if generator.below(5) < 2, !numbers.isEmpty {
                let gone = numbers.remove(at: generator.below(numbers.count))
                running.add(gone, isAdded: false)
            } else {
                let number = Double(bitPattern: generator.next())
                numbers.append(number.isFinite ? number : 0.1)
                running.add(numbers[numbers.count - 1], isAdded: true)
            }
            let again = sum(numbers.shuffled(using: &generator))
            #expect(running == again, "seed \(seed), step \(step)")
            #expect(ExactSum(running.data) == running, "seed \(seed), step \(step)")
        }
        for number in numbers { running.add(number, isAdded: false) }
        #expect(running == ExactSum() && running.data.isEmpty)
    }

    @Test(arguments: [UInt64](1...4))
    func `a sum is the number nearest to the true one`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var exact: Int128 = 0
            var sum = ExactSum()
            for _ in 0..<generator.below(12) {
                let number = Int64(truncatingIfNeeded: generator.next()) >> generator.below(60)
                let rounded = Double(number)
                exact += Int128(rounded)
                sum.add(rounded * 0x1p-40, isAdded: true)
            }
            #expect(sum.value == Double(exact) * 0x1p-40, "seed \(seed)")
        }
    }
}
