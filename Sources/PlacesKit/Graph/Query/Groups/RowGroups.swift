/// Some rows, numbered by the value that each has: equal values have one number.
struct RowGroups {
    /// The number of each row's value, in the order in which values first come.
    var numbers: ContiguousArray<Int32>
    /// Where each value first comes.
    var firsts: ContiguousArray<Int>
    /// The number of no value, if some row has none.
    var null: Int32?

    /// How many values there are.
    var count: Int { firsts.count }

    /// All rows as one group, or none.
    init(whole count: Int) {
        numbers = ContiguousArray(repeating: 0, count: count)
        firsts = count == 0 ? [] : [0]
    }

    /// No rows yet.
    init(capacity: Int) {
        numbers = []
        numbers.reserveCapacity(capacity)
        firsts = []
    }

    /// Gives the next row the number of a value that came before.
    @inline(__always)
    mutating func append(_ number: Int32) { numbers.append(number) }

    /// Gives the next row a number of its own, for a value that is new.
    @inline(__always)
    mutating func appendNew() -> Int32 {
        let number = Int32(truncatingIfNeeded: firsts.count)
        firsts.append(numbers.count)
        numbers.append(number)
        return number
    }

    /// Gives the next row the number of no value.
    @inline(__always)
    mutating func appendNull() {
        if let null { append(null) } else { null = appendNew() }
    }

    /// How many rows are in each group.
    var counts: ContiguousArray<Int> {
        var counts = ContiguousArray(repeating: 0, count: count)
        counts.withUnsafeMutableBufferPointer { counts in
            for number in numbers { counts[Int(number)] &+= 1 }
        }
        return counts
    }

    /// The same rows by two values: those of this numbering, and those of another.
    func divided(by other: RowGroups) -> RowGroups {
        if count <= 1 { return other }
        var result = RowGroups(capacity: numbers.count)
        var pairs = WordNumbers()
        for (first, second) in zip(numbers, other.numbers) {
            let pair =
                UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
            let (number, isNew) = pairs.number(of: pair)
            if isNew { _ = result.appendNew() } else { result.append(number) }
        }
        return result
    }

    /// How many different values of others' numbering each group has; no value does not count.
    ///
    /// A bit for each pair of group and value is quickest while all of them stay in the processor's
    /// cache. Beyond that the rows are gone through group by group, so that it takes one mark for each
    /// value, which says in which group it was last seen.
    func distinctCounts(of values: RowGroups) -> ContiguousArray<Int> {
        let (pairs, isOverflow) = count.multipliedReportingOverflow(by: values.count)
        return isOverflow || pairs > 1 << 22 ? markedCounts(of: values) : bitCounts(of: values)
    }

    private func bitCounts(of values: RowGroups) -> ContiguousArray<Int> {
        var counts = ContiguousArray(repeating: 0, count: count)
        var bits = ContiguousArray<UInt64>(repeating: 0, count: (count * values.count + 63) / 64)
        let null = values.null ?? -1
        bits.withUnsafeMutableBufferPointer { bits in
            counts.withUnsafeMutableBufferPointer { counts in
                for position in numbers.indices {
                    let value = values.numbers[position]
                    guard value != null else { continue }
                    let group = Int(numbers[position])
                    let pair = group &* values.count &+ Int(value)
                    let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: pair & 63)
                    let isNew = bits[pair &>> 6] & bit == 0
                    bits[pair &>> 6] |= bit
                    counts[group] &+= isNew ? 1 : 0
                }
            }
        }
        return counts
    }

    private func markedCounts(of values: RowGroups) -> ContiguousArray<Int> {
        var counts = ContiguousArray(repeating: 0, count: count)
        var marks = ContiguousArray<Int32>(repeating: -1, count: values.count)
        let null = values.null ?? -1
        let (starts, sorted) = grouped(values.numbers)
        marks.withUnsafeMutableBufferPointer { marks in
            sorted.withUnsafeBufferPointer { sorted in
                for group in counts.indices {
                    let mark = Int32(truncatingIfNeeded: group)
                    var distinct = 0
                    for position in starts[group]..<starts[group + 1] {
                        let value = sorted[position]
                        let isNew = marks[Int(value)] != mark && value != null
                        marks[Int(value)] = mark
                        distinct &+= isNew ? 1 : 0
                    }
                    counts[group] = distinct
                }
            }
        }
        return counts
    }

    /// What belongs to the rows, group by group, and where each group starts; rows of one group keep
    /// their order.
    func grouped<Item>(
        _ items: ContiguousArray<Item>
    ) -> (starts: ContiguousArray<Int>, items: ContiguousArray<Item>) {
        var starts = ContiguousArray(repeating: 0, count: count + 1)
        for (group, count) in counts.enumerated() { starts[group + 1] = starts[group] + count }
        var next = starts
        let sorted = ContiguousArray<Item>(unsafeUninitializedCapacity: items.count) {
            room, count in
            guard let base = room.baseAddress else { return }
            next.withUnsafeMutableBufferPointer { next in
                for position in numbers.indices {
                    let group = Int(numbers[position])
                    (base + next[group]).initialize(to: items[position])
                    next[group] &+= 1
                }
            }
            count = items.count
        }
        return (starts, sorted)
    }
}
