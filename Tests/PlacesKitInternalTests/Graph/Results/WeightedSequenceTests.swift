import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct WeightedSequenceTests {
    @Test(arguments: [UInt64](1...4))
    func `random inserts and removals agree with an array, and copies stay`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var sequence = WeightedSequence<Int32>()
        var model: [(element: Int32, weight: Int)] = []
        var copies: [(WeightedSequence<Int32>, [Int32])] = []
        for number in 0..<Int32(300) {
            if Int.random(in: 0..<3, using: &generator) == 0, !model.isEmpty {
                let index = Int.random(in: model.indices, using: &generator)
                sequence.remove(at: index)
                model.remove(at: index)
            } else {
                let index = Int.random(in: 0...model.count, using: &generator)
                let weight = Int.random(in: 0..<4, using: &generator)
                sequence.insert(number, weight: weight, number: number, at: index)
                model.insert((number, weight), at: index)
            }
            if number.isMultiple(of: 50) { copies.append((sequence, model.map(\.element))) }
        }
        #expect(sequence.elements == model.map(\.element), "seed \(seed)")
        #expect(sequence.count == model.count)
        #expect(sequence.weight == model.reduce(0) { $0 + $1.weight })
        var offset = 0
        for (index, (element, weight)) in model.enumerated() {
            #expect(sequence[index] == element)
            #expect(sequence.weight(before: index) == offset)
            for covered in offset..<offset + weight {
                #expect(sequence.index(covering: covered) == index, "seed \(seed)")
            }
            offset += weight
        }
        for (copy, elements) in copies { #expect(copy.elements == elements) }
    }

    @Test func `a sorted sequence is searched by where a statement ends to hold`() {
        var sequence = WeightedSequence<Int>()
        for number in 0..<100 {
            sequence.insert(number * 2, weight: 1, number: Int32(number), at: number)
        }
        for sought in -1...201 {
            #expect(sequence.count { $0 < sought } == (0..<100).count { $0 * 2 < sought })
        }
        #expect(WeightedSequence<Int>().count { _ in true } == 0)
    }
}
