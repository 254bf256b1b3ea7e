/// The positions of members in ordered lists.
///
/// A list is linked in its order. Each member also has a number, and an index finds members by their
/// numbers and counts those before. Numbers leave gaps; where one closes, the members around it are
/// spread over the smallest range of numbers that has room for them (Bender and others, "Two
/// Simplified Algorithms for Maintaining Order in a List", 2002).
extension Transaction {
    /// The number that a new member's is away from that at the end where it comes.
    private static var gap: UInt64 { 1 << 32 }

    private func number(of link: Row, _ list: ListLayout, _ order: ListOrder) -> UInt64 {
        let number = block(link, order.column, in: list.members)
            .elements(of: Int64.self)[link.offset]
        return UInt64(bitPattern: number)
    }

    private func setNumber(
        of link: Row, to number: UInt64, _ list: ListLayout, _ order: ListOrder
    ) {
        writableBlock(link, order.column, in: list.members)
            .elements(of: Int64.self)[link.offset] = Int64(bitPattern: number)
    }

    private func entry(_ link: Row, _ list: ListLayout, _ order: ListOrder) -> OrderedEntry {
        OrderedEntry(
            group: reference(link, list.owner, in: list.members).rawValue, row: link,
            key: number(of: link, list, order))
    }

    /// Gives a member that was linked a number between those of its neighbours.
    func insertIntoOrder(_ link: Row, in list: ListLayout, _ order: ListOrder) {
        let neighbours = [list.previous, list.next].map {
            reference(link, $0, in: list.members)
        }
        while true {
            let bounds = neighbours.map { $0.isNone ? nil : number(of: $0, list, order) }
            if let number = Self.number(between: bounds[0], bounds[1]) {
                setNumber(of: link, to: number, list, order)
                break
            }
            // Without neighbours there is room.
            guard let crowded = bounds[0] ?? bounds[1] else { break }
            spread(around: crowded, of: reference(link, list.owner, in: list.members), list, order)
        }
        let entry = entry(link, list, order)
        updateOrder(order, of: list.members) { $0.insert(entry, token: $1) }
    }

    /// Takes a member that is still linked out of the index.
    func removeFromOrder(_ link: Row, in list: ListLayout, _ order: ListOrder) {
        let entry = entry(link, list, order)
        _ = updateOrder(order, of: list.members) { $0.remove(entry, token: $1) }
    }

    /// A number between two others, or `nil` where there is none.
    private static func number(between low: UInt64?, _ high: UInt64?) -> UInt64? {
        let distance: UInt64
        switch (low, high) {
        case (nil, nil): return 1 << 63
        case (let low?, nil):
            distance = min(gap, (.max - low) / 2)
            return distance > 0 ? low + distance : nil
        case (nil, let high?):
            distance = min(gap, high / 2)
            return distance > 0 ? high - distance : nil
        case (let low?, let high?):
            distance = (high - low) / 2
            return distance > 0 ? low + distance : nil
        }
    }

    /// Spreads members over the smallest range of numbers around one that is not crowded.
    ///
    /// A range of 2ⁱ numbers is crowded from 1.4ⁱ members on, so that spreading them costs O(log n) for
    /// each member that came.
    private func spread(
        around number: UInt64, of owner: Row, _ list: ListLayout, _ order: ListOrder
    ) {
        let index = positions(order, of: list.members)
        var limit = 1.0
        for bits in 1...63 as ClosedRange<UInt64> {
            limit *= 1.4
            let size: UInt64 = 1 << bits
            let first = number & ~(size - 1)
            let start = index.position(
                of: OrderedEntry(group: owner.rawValue, row: .min, key: first))
            let end = index.position(
                of: OrderedEntry(group: owner.rawValue, row: .max, key: first + (size - 1)))
            let step = size / UInt64(end - start + 1)
            guard Double(end - start) < limit, step >= 4 else { continue }
            let links = index.entries(start..<end).map(\.row)
            setNumbers(of: links, from: first + step / 2, by: step, list, order)
            return
        }
    }

    /// Numbers the members of a list anew, in the order of `links`.
    func renumber(links: [Row], in list: ListLayout) {
        guard let order = list.order else { return }
        let step = min(Self.gap, .max / 2 / UInt64(max(1, links.count)))
        setNumbers(of: links, from: 1 << 63, by: step, list, order)
    }

    private func setNumbers(
        of links: [Row], from first: UInt64, by step: UInt64, _ list: ListLayout,
        _ order: ListOrder
    ) {
        for link in links { removeFromOrder(link, in: list, order) }
        for (position, link) in links.enumerated() {
            setNumber(of: link, to: first + UInt64(position) * step, list, order)
            let entry = entry(link, list, order)
            updateOrder(order, of: list.members) { $0.insert(entry, token: $1) }
        }
    }

    // MARK: - Positions

    /// The link at a position of an ordered list, which must exist.
    ///
    /// - Complexity: O(log n).
    func link(at position: Int, of owner: Row, _ list: ListLayout, _ order: ListOrder) -> Row {
        let index = positions(order, of: list.members)
        return index[index.position(of: .start(of: owner.rawValue)) + position].row
    }

    /// The position of a link in the ordered list that it is in.
    ///
    /// - Complexity: O(log n).
    func position(of link: Row, in list: ListLayout, _ order: ListOrder) -> Int {
        positions(order, of: list.members).positionInGroup(of: entry(link, list, order))
    }
}

extension OrderedIndex {
    /// The position of an entry among those of its group.
    fileprivate func positionInGroup(of entry: OrderedEntry) -> Int {
        position(of: entry) - position(of: .start(of: entry.group))
    }
}

extension Graph {
    /// The position of a link in the ordered list that it is in.
    ///
    /// - Complexity: O(log n).
    func position(of link: Row, in list: ListLayout, _ order: ListOrder) -> Int {
        let number = tables[list.members].columns[order.column].element(Int64.self, at: link)
        return tables[list.members].listOrders[order.index].positionInGroup(
            of: OrderedEntry(
                group: reference(link, list.owner, in: list.members).rawValue, row: link,
                key: UInt64(bitPattern: number)))
    }

    /// What is wrong with the positions of an ordered list's members, in words; nothing in a sound list.
    func brokenPositions(of list: ListLayout) -> [String] {
        guard let order = list.order else { return [] }
        let index = tables[list.members].listOrders[order.index]
        var violations = index.brokenInvariants()
        let numbers = tables[list.members].columns[order.column]
        var count = 0
        for owner in tables[list.owners].rows {
            let entries = Array(index.entries(index.range(ofGroup: owner.rawValue)))
            count += entries.count
            if !links(of: owner, list).elementsEqual(entries.map(\.row)) {
                violations.append(
                    "the positions of the members of \(owner) are not those of its list")
            }
            for entry in entries
            where numbers.element(Int64.self, at: entry.row) != Int64(bitPattern: entry.key) {
                violations.append("the position of \(entry.row) is kept under another number")
            }
        }
        if count != index.count {
            violations.append("an ordered list of \(index.count) positions has \(count) members")
        }
        return violations
    }
}
