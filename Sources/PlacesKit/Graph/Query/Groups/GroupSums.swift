import Foundation

/// The sums of a number in each group, and how many rows of the group have one.
struct GroupSums {
    /// Sums that are not rounded, or only when they are complete.
    enum Totals {
        case whole(ContiguousArray<Int128>)
        case real(ContiguousArray<Double>)
        case decimal(ContiguousArray<Decimal>)
    }

    var totals: Totals
    var counts: ContiguousArray<Int>

    /// The sum of a group as a value of a column; whole numbers that do not fit are the nearest that do.
    func sum(of group: Int, as kind: ColumnKind) -> Datum {
        switch totals {
        case .whole(let sums) where kind == .decimal:
            .decimal(Decimal(Int64(clamping: sums[group])))
        case .whole(let sums) where kind == .double: .double(Double(sums[group]))
        case .whole(let sums): .integer(Int64(clamping: sums[group]))
        case .real(let sums): .double(sums[group])
        case .decimal(let sums): .decimal(sums[group])
        }
    }

    /// The average of a group; `nil` where no row has a number.
    func average(of group: Int) -> Double? {
        guard counts[group] > 0 else { return nil }
        return (sum(of: group, as: .double).number ?? .nan) / Double(counts[group])
    }
}

extension GroupSums {
    /// The sums of values that were read from objects.
    init(of values: [Datum], in groups: RowGroups) {
        counts = ContiguousArray(repeating: 0, count: groups.count)
        var whole = ContiguousArray<Int128>(repeating: 0, count: groups.count)
        var real = ContiguousArray(repeating: ExactSum(), count: groups.count)
        var decimal = ContiguousArray<Decimal>(repeating: 0, count: groups.count)
        var kind = ColumnKind.integer
        for (position, value) in values.enumerated() where value != .null {
            let group = Int(groups.numbers[position])
            counts[group] += 1
            switch value {
            case .integer(let number): whole[group] += Int128(number)
            case .unsigned(let number): whole[group] += Int128(number)
            case .decimal(let number):
                kind = .decimal
                decimal[group] += number
            default:
                kind = .double
                real[group].add(value.number ?? .nan, isAdded: true)
            }
        }
        totals =
            switch kind {
            case .double: .real(ContiguousArray(real.map(\.value)))
            case .decimal: .decimal(decimal)
            default: .whole(whole)
            }
    }
}

extension Graph {
    /// The sums of an attribute in each group; `nil` where it is no number.
    ///
    /// `rows` are those that have the attribute, or none.
    func sums(
        of groups: RowGroups, _ rows: ContiguousArray<Row>, _ slot: Slot, in table: TableNumber
    ) -> GroupSums? {
        guard let attribute = layout.tables[table].properties[slot].attribute else { return nil }
        let column = tables[table].columns[slot]
        let isOptional = attribute.isOptional
        var counts = ContiguousArray(repeating: 0, count: groups.count)
        switch column.kind {
        case .integer:
            let isUnsigned = attribute.type == .uint64
            var sums = ContiguousArray<Int128>(repeating: 0, count: groups.count)
            column.forEach(Int64.self, at: rows) { position, element, isValid in
                guard isValid || !isOptional else { return }
                let group = Int(groups.numbers[position])
                counts[group] &+= 1
                sums[group] &+=
                    isUnsigned
                    ? Int128(UInt64(ordered: element.pointee)) : Int128(element.pointee)
            }
            return GroupSums(totals: .whole(sums), counts: counts)
        case .double:
            var sums = ContiguousArray<Double>()
            sums.reserveCapacity(groups.count)
            let (starts, sorted) =
                groups.count > 1 ? groups.grouped(rows) : ([0, rows.count], rows)
            var digits = DigitSum()
            for group in 0..<groups.count {
                digits.clear()
                let members = ContiguousArray(sorted[starts[group]..<starts[group + 1]])
                column.forEach(Double.self, at: members) { _, element, isValid in
                    guard isValid || !isOptional else { return }
                    counts[group] &+= 1
                    digits.add(element.pointee)
                }
                sums.append(digits.value)
            }
            return GroupSums(totals: .real(sums), counts: counts)
        case .decimal:
            var sums = ContiguousArray<Decimal>(repeating: 0, count: groups.count)
            column.forEach(Decimal.self, at: rows) { position, element, isValid in
                guard isValid || !isOptional else { return }
                counts[Int(groups.numbers[position])] &+= 1
                sums[Int(groups.numbers[position])] += element.pointee
            }
            return GroupSums(totals: .decimal(sums), counts: counts)
        case .boolean, .string, .uuid, .data, .blob, .reference: return nil
        }
    }
}
