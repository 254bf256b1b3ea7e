import Foundation
import PlacesBase

/// Objects that follow each other in an array, and can be read without those before them.
struct SnapshotUnit {
    /// How many objects there are.
    let count: Int
    /// Where the first one begins, and where the last one ends: bytes, or positions in the array.
    let range: Range<Int>
    /// How many elements of containers it may have: its share of what the array may have.
    var elementLimit = Int.max
}

extension JSONReader {
    func units(first: Int, others: Int, limit: Int) -> [SnapshotUnit] {
        var units: [SnapshotUnit] = []
        var (start, count, wanted) = (offset, 0, first)
        // The first object is where a line begins, or the end of one.
        if start < bytes.count, bytes[start] == UInt8(ascii: "\n") { start += 1 }
        var next = object(inLineFrom: start)
        while units.count < limit, let object = next {
            count += 1
            next = object.isLast ? nil : self.object(inLineFrom: object.lineEnd + 1)
            if count == wanted || next == nil {
                units.append(SnapshotUnit(count: count, range: start..<object.end))
                (start, count, wanted) = (object.lineEnd + 1, 0, others)
            }
        }
        return units
    }

    /// Where an object ends that is, with the comma behind it, a line of its own; the last one of an array has
    /// no comma.
    ///
    /// Ends of lines are never part of a string. Whether all of the line is one object shows when it is read.
    private func object(inLineFrom start: Int) -> (end: Int, lineEnd: Int, isLast: Bool)? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "{"), let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, min(bytes.count - start, Self.longestLine))
        else { return nil }
        let lineEnd = UnsafeRawPointer(found) - base
        let isLast = bytes[lineEnd - 1] != UInt8(ascii: ",")
        let end = isLast ? lineEnd : lineEnd - 1
        guard bytes[end - 1] == UInt8(ascii: "}") else { return nil }
        return (end, lineEnd, isLast)
    }

    /// Longer lines are not looked through for their ends.
    private static let longestLine = 1 << 18

    func read(
        _ unit: SnapshotUnit, _ body: (inout JSONReader) throws -> Void
    ) throws -> Int {
        var reader = JSONReader(bytes)
        (reader.offset, reader.depth) = (unit.range.lowerBound, depth)
        try body(&reader)
        guard reader.offset == unit.range.upperBound else { throw failure(.trailingBytes) }
        return 0
    }

    mutating func pass(_ unit: SnapshotUnit, elements: Int) {
        offset = unit.range.upperBound
        isAtFirstElement = false
    }
}

extension BinaryPropertyListReader {
    func units(first: Int, others: Int, limit: Int) -> [SnapshotUnit] {
        guard let array = containers.last else { return [] }
        var ranges: [Range<Int>] = []
        var (start, wanted) = (array.position - 1, first)
        while ranges.count < limit, start < array.count {
            let end = min(start + wanted, array.count)
            ranges.append(start..<end)
            (start, wanted) = (end, others)
        }
        return ranges.map {
            SnapshotUnit(
                count: $0.count, range: $0, elementLimit: remainingElements / ranges.count)
        }
    }

    func read(
        _ unit: SnapshotUnit, _ body: (inout BinaryPropertyListReader) throws -> Void
    ) throws -> Int {
        var reader = copy()
        reader.remainingElements = unit.elementLimit
        try reader.go(to: unit.range.lowerBound)
        try body(&reader)
        return unit.elementLimit - reader.remainingElements
    }

    mutating func pass(_ unit: SnapshotUnit, elements: Int) throws(JSONError) {
        try go(to: unit.range.upperBound - 1)
        remainingElements -= elements - 1
    }

    private mutating func go(to position: Int) throws(JSONError) {
        containers[containers.count - 1].position = position
        _ = try nextElement()
    }
}

extension XMLPropertyListReader {
    /// None: a text may have anything in lines of its own.
    func units(first: Int, others: Int, limit: Int) -> [SnapshotUnit] { [] }

    func read(
        _ unit: SnapshotUnit, _ body: (inout XMLPropertyListReader) throws -> Void
    ) throws -> Int {
        preconditionFailure("There are no units.")
    }

    func pass(_ unit: SnapshotUnit, elements: Int) {
        preconditionFailure("There are no units.")
    }
}
