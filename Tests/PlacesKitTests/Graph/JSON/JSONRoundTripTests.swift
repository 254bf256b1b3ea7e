import Foundation
import PlacesKit
import Testing

@Suite struct JSONRoundTripTests {
    @Test func `every double that is written reads back as itself`() throws {
        let seed: UInt64 = 1
        var random = DocumentRandom(seed: seed)
        var values: [Double] = (0..<20_000).map { _ in JSONTree.finiteDouble(using: &random) }
        for exponent in -1074...1023 {
            let power = Double(sign: .plus, exponent: exponent, significand: 1)
            values += [power, -power, power.nextUp, power.nextDown]
        }
        values += [0, -0.0, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNormalMagnitude]
        for value in values {
            var writer = JSONWriter()
            writer.write(value)
            let read = try JSONReader.read(writer.bytes) { try $0.readDouble() }
            #expect(read.bitPattern == value.bitPattern, "seed \(seed), value \(value)")
        }
    }

    @Test func `decimals of any length are read as the library of the system reads them`() throws {
        let seed: UInt64 = 2
        var random = DocumentRandom(seed: seed)
        for _ in 0..<20_000 {
            let digits = (0..<Int.random(in: 1...25, using: &random)).map { _ in
                "\(Int.random(in: 0...9, using: &random))"
            }
            let exponent = Int.random(in: -330...280, using: &random)
            let text = "\(Int.random(in: -9...9, using: &random)).\(digits.joined())e\(exponent)"
            let read = try JSONReader.read(Array(text.utf8)) { try $0.readDouble() }
            #expect(read == strtod(text, nil), "seed \(seed), text \(text)")
        }
    }

    @Test func `random documents read back as they were written`() throws {
        let seed: UInt64 = 3
        var random = DocumentRandom(seed: seed)
        for round in 0..<500 {
            let tree = JSONTree.random(depth: 5, using: &random)
            let isSame = try JSONTree(tree.bytes) == tree
            #expect(isSame, "seed \(seed), round \(round)")
        }
    }

    @Test func `Foundation reads what is written as the same`() throws {
        let seed: UInt64 = 4
        var random = DocumentRandom(seed: seed)
        for round in 0..<300 {
            let tree = JSONTree.random(depth: 4, using: &random)
            let read = try JSONSerialization.jsonObject(
                with: Data(tree.bytes), options: .fragmentsAllowed)
            let isSame = tree.isSame(asFoundation: read)
            #expect(isSame, "seed \(seed), round \(round)")
        }
    }

    @Test func `what Foundation writes is read as the same`() throws {
        let seed: UInt64 = 5
        var random = DocumentRandom(seed: seed)
        for round in 0..<300 {
            let tree = JSONTree.random(depth: 4, using: &random)
            let options: JSONSerialization.WritingOptions =
                round % 2 == 0 ? .fragmentsAllowed : [.fragmentsAllowed, .prettyPrinted]
            let written = try JSONSerialization.data(
                withJSONObject: tree.asFoundation, options: options)
            let read = try JSONTree([UInt8](written))
            let isSame = tree.isSame(asFoundation: read.asFoundation)
            #expect(isSame, "seed \(seed), round \(round)")
        }
    }
}

extension JSONTree {
    /// The value as Foundation has it.
    fileprivate var asFoundation: Any {
        switch self {
        case .null: NSNull()
        case .boolean(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .string(let value): value
        case .array(let elements): elements.map(\.asFoundation)
        case .object(let members):
            Dictionary(members.map { ($0.key, $0.value.asFoundation) }) { $1 }
        }
    }

    /// Whether a value of Foundation is this one.
    fileprivate func isSame(asFoundation value: Any) -> Bool {
        switch self {
        case .null: value is NSNull
        case .boolean(let expected): value as? Bool == expected
        case .integer(let expected): (value as? NSNumber)?.int64Value == expected
        case .double(let expected):
            // NB: on Linux, Foundation reads long numbers as decimals, which it rounds badly.
            (value as? NSNumber).map { found in
                abs(found.doubleValue - expected) <= expected.magnitude * 0x1p-40
            } ?? false
        case .string(let expected): value as? String == expected
        case .array(let expected):
            (value as? [Any]).map { found in
                found.count == expected.count
                    && zip(expected, found).allSatisfy { $0.isSame(asFoundation: $1) }
            } ?? false
        case .object(let expected):
            (value as? [String: Any]).map { found in
                found.count == expected.count
                    && expected.allSatisfy { member in
                        found[member.key].map(member.value.isSame(asFoundation:)) ?? false
                    }
            } ?? false
        }
    }
}
