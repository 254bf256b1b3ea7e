/// What became of a row that was or is shown.
struct ShownRow {
    var row: Row
    /// Where it was shown, and where it is; with the indices of sections.
    var old: ItemPosition?
    var new: ItemPosition?
    /// Whether it is neither touched nor changed, but slid over an edge of the window.
    var isSlid = false
}

extension RankedRows {
    /// Rows on their way from their positions to others.
    private struct Batch {
        var query: ResultsQuery
        var before: Graph
        var after: Graph
        /// What leaves the rows that are shown, and what comes, by row.
        var leaving: [(row: Row, position: RowPosition)] = []
        var entering: [(row: Row, entry: OrderedEntry)] = []
        /// What slid, in either direction.
        var slid: Set<Row> = []
    }

    /// Takes the touched rows out, and puts those that match back where they belong now.
    ///
    /// - Parameters:
    ///   - touched: The rows that may have come, gone, changed or moved; each once.
    ///   - query: What the rows match, and their order and sections.
    ///   - before: The graph in which all rows were in their positions.
    ///   - after: The graph in which all rows shall be; it may be the same, where time has passed.
    ///   - matched: Whether a row belongs to the results in the graph before, where the order or the sections may
    ///     contradict themselves.
    ///   - matches: Whether a row belongs to the results in the graph after.
    /// - Returns: The touched rows that were or are shown, with those that slid through the window, and
    ///   the sections that they were or are in.
    /// - Complexity: O(k log n) for k touched rows of n, whatever the window and the sections.
    mutating func update(
        _ touched: some Sequence<Row>, _ query: ResultsQuery, from before: Graph, to after: Graph,
        matched: ((Row) -> Bool)? = nil, matches: (Row) -> Bool
    ) -> (rows: [ShownRow], sections: [SectionFate]) {
        var batch = Batch(query: query, before: before, after: after)
        let old = self
        if hasAll {
            replaceMatches(touched, &batch, from: old, matched, matches)
        } else {
            let order = query.order
            for row in touched {
                if before.contains(row, in: query.table),
                    let position = position(of: row, query, in: before)
                {
                    batch.leaving.append((row, position))
                } else if matched?(row) ?? false {
                    isContradicted = true
                }
                if matches(row) { batch.entering.append((row, order.entry(row, in: after))) }
            }
        }
        guard isSectioned else {
            return (unsectioned(batch), [SectionFate(oldIndex: 0, newIndex: 0)])
        }
        return replaceMembers(&batch, from: old)
    }

    // MARK: - Matches

    /// Takes touched rows out of all matches, puts others in, and finds what that does to the window.
    private mutating func replaceMatches(
        _ touched: some Sequence<Row>, _ batch: inout Batch, from old: RankedRows,
        _ matched: ((Row) -> Bool)?, _ matches: (Row) -> Bool
    ) {
        let order = batch.query.order
        var departures = WindowCounts()
        var arrivals: [(entry: OrderedEntry, tie: (Row) -> Int)] = []
        var token = Transaction.makeToken()
        for row in touched {
            if batch.before.contains(row, in: order.table) {
                let entry = order.entry(row, in: batch.before)
                let tie = order.tie(row, in: batch.before)
                if !all.remove(entry, token: token, tie: tie) {
                    if matched?(row) ?? false { isContradicted = true }
                } else if let position = old.all.firstPosition(of: entry, tie: tie) {
                    if departures.count(position, old.visible) {
                        let item = position - old.visible.lowerBound
                        batch.leaving.append((row, RowPosition(entry: entry, item: item)))
                    }
                } else {
                    isContradicted = true
                }
            }
            if matches(row) {
                arrivals.append(
                    (order.entry(row, in: batch.after), order.tie(row, in: batch.after)))
            }
        }
        let untouched = all
        // What was taken out is kept apart from what comes now.
        if window != 0..<Int.max { token = Transaction.makeToken() }
        for (entry, tie) in arrivals { all.insert(entry, token: token, tie: tie) }
        guard window != 0..<Int.max else {
            for (entry, _) in arrivals { batch.entering.append((entry.row, entry)) }
            return
        }
        var counts = WindowCounts()
        for (entry, tie) in arrivals {
            // What is found lies there, also in an order that contradicts itself.
            guard let position = all.firstPosition(of: entry, tie: tie) else {
                isContradicted = true
                return
            }
            if counts.count(position, visible) { batch.entering.append((entry.row, entry)) }
        }
        guard !isContradicted else { return }
        slide(
            untouched, from: departures.untouched(of: old.visible),
            to: counts.untouched(of: visible), &batch, old)
    }

    /// Finds which untouched rows leave and enter a window, from its positions among them.
    private mutating func slide(
        _ untouched: OrderedIndex, from old: Range<Int>, to new: Range<Int>, _ batch: inout Batch,
        _ before: RankedRows
    ) {
        let order = batch.query.order
        for range in old.subtracting(new) {
            for entry in untouched.entries(range) {
                let tie = order.tie(entry.row, in: batch.before)
                guard let position = before.all.firstPosition(of: entry, tie: tie) else {
                    isContradicted = true
                    return
                }
                batch.slid.insert(entry.row)
                batch.leaving.append(
                    (
                        entry.row,
                        RowPosition(entry: entry, item: position - before.visible.lowerBound)
                    ))
            }
        }
        for range in new.subtracting(old) {
            for entry in untouched.entries(range) {
                batch.slid.insert(entry.row)
                batch.entering.append((entry.row, entry))
            }
        }
    }

    /// What became of rows without sections.
    private mutating func unsectioned(_ batch: Batch) -> [ShownRow] {
        let order = batch.query.order
        var shown = ShownRows(slid: batch.slid)
        for (row, position) in batch.leaving {
            shown[row].old = ItemPosition(section: 0, item: position.item)
        }
        for (row, entry) in batch.entering {
            let tie = order.tie(row, in: batch.after)
            guard let position = all.firstPosition(of: entry, tie: tie) else {
                isContradicted = true
                continue
            }
            shown[row].new = ItemPosition(section: 0, item: position - visible.lowerBound)
        }
        return shown.rows
    }

    // MARK: - Members

    /// Takes rows out of their sections, puts others into theirs, and sections in their order.
    private mutating func replaceMembers(
        _ batch: inout Batch, from old: RankedRows
    ) -> (rows: [ShownRow], sections: [SectionFate]) {
        let (query, order) = (batch.query, batch.query.order)
        let token = Transaction.makeToken()
        for index in batch.leaving.indices where hasAll {
            // It was found in all matches, so far.
            let row = batch.leaving[index].row
            batch.leaving[index].position =
                old.position(of: row, query, in: batch.before) ?? batch.leaving[index].position
        }
        for (row, position) in batch.leaving {
            let tie = order.tie(row, in: batch.before)
            if !members.remove(position.entry, token: token, tie: tie) { isContradicted = true }
        }
        var labels: [Int32: SectionLabel] = [:]
        for (_, position) in batch.leaving { labels[position.entry.group] = position.label }
        var created: [SectionKey: Int32] = [:]
        for index in batch.entering.indices {
            let row = batch.entering[index].row
            let key = query.section(of: row, in: batch.after)
            let number: Int32
            if let known = old.section(of: key) {
                number = known.number
                labels[number] = known.label
            } else if let known = created[key] {
                number = known
            } else {
                number = nextNumber
                nextNumber &+= 1
                created[key] = number
                labels[number] = query.label(of: row, in: batch.after)
            }
            batch.entering[index].entry.group = number
            members.insert(
                batch.entering[index].entry, token: token, tie: order.tie(row, in: batch.after))
        }
        let fates = rearrangeSections(labels, batch, from: old)

        var shown = ShownRows(slid: batch.slid)
        for (row, position) in batch.leaving {
            shown[row].old = ItemPosition(
                section: fates[position.entry.group]?.oldIndex ?? 0, item: position.item)
        }
        for (row, entry) in batch.entering {
            let item =
                members.position(of: entry, tie: order.tie(row, in: batch.after))
                - members.position(of: .start(of: entry.group))
            shown[row].new = ItemPosition(section: fates[entry.group]?.newIndex ?? 0, item: item)
        }
        return (shown.rows, labels.keys.sorted().compactMap { fates[$0] })
    }

    /// Takes sections out, by their numbers, and puts those that are there now where they belong.
    private mutating func rearrangeSections(
        _ labels: [Int32: SectionLabel], _ batch: Batch, from old: RankedRows
    ) -> [Int32: SectionFate] {
        let order = batch.query.order
        let touched = labels.sorted { $0.key < $1.key }
        var fates: [Int32: SectionFate] = [:]
        for (number, label) in touched where old.hasSection(number) {
            let index = old.index(ofSection: number, label, order, in: batch.before)
            guard index < sections.count, sections[index].number == number else {
                isContradicted = true
                continue
            }
            fates[number] = SectionFate(oldIndex: index, oldLabel: label)
        }
        for index in fates.values.compactMap(\.oldIndex).sorted(by: >) {
            sections.remove(at: index)
        }
        for (number, label) in touched {
            guard hasSection(number) else {
                if let index = index(of: label.key) { keys.remove(at: index) }
                continue
            }
            if fates[number] == nil { insert(label, number) }
            let section = Section(
                number: number, label: label, first: members.first(ofGroup: number),
                count: members.range(ofGroup: number).count)
            sections.insert(
                section, weight: section.count, number: number,
                at: index(ofSection: number, label, order, in: batch.after))
            fates[number, default: SectionFate()].newLabel = label
        }
        for (number, label) in touched where hasSection(number) {
            fates[number]?.newIndex = index(ofSection: number, label, order, in: batch.after)
        }
        return fates
    }
}

/// Rows that were or are shown, each once.
private struct ShownRows {
    private(set) var rows: [ShownRow] = []
    private var indices: [Row: Int] = [:]
    private let slid: Set<Row>

    init(slid: Set<Row>) { self.slid = slid }

    subscript(row: Row) -> ShownRow {
        get { indices[row].map { rows[$0] } ?? ShownRow(row: row, isSlid: slid.contains(row)) }
        set {
            if let index = indices[row] {
                rows[index] = newValue
            } else {
                indices[row] = rows.count
                rows.append(newValue)
            }
        }
    }
}

extension Range<Int> {
    /// What of this range is not in another: nothing, one range or two.
    fileprivate func subtracting(_ other: Range<Int>) -> [Range<Int>] {
        guard overlaps(other) else { return isEmpty ? [] : [self] }
        return [
            lowerBound..<Swift.max(lowerBound, other.lowerBound),
            Swift.min(upperBound, other.upperBound)..<upperBound,
        ].filter { !$0.isEmpty }
    }
}
