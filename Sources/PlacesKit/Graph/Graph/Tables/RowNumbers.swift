/// The numbers by which the objects of an entity are known outside, for each row.
///
/// Those of the document as it was opened are kept as runs of consecutive numbers, so that one whose numbers are far
/// apart takes no more memory than one whose numbers are not. Rows that come after those of the document have
/// numbers that nobody else has. A value that was never given other numbers has one run: each row's
/// number is the row. What comes from other processes later has the numbers that it is given.
///
/// A row that is used again has the number of its *generation*. Where one process gives out all numbers, it counts the
/// uses of the row from zero, and 2³¹ numbers lie between those of one generation and the next. Where several processes do,
/// each gives out 2³¹ numbers from one on, and takes those of rows that are used again from the end: a
/// generation is one of the whole table then (`RowAllocator`).
///
/// - Complexity: O(log n) for n runs.
struct RowNumbers: Sendable {
    /// Rows from `row` on, to the next run, that have consecutive numbers from `number` on.
    struct Run: Sendable, Equatable {
        var row: Row
        var number: Int64

        /// The number that a row has as one of the run; the end of the highest number of all is no number.
        func number(of row: Row) -> Int64 { number &+ Int64(self.row.distance(to: row)) }
    }

    /// The runs in the order of their rows; the last has no end.
    private var runs: ContiguousArray<Run> = [Run(row: Row(0), number: 0)]
    /// The same in the order of their numbers.
    private var runsByNumber: ContiguousArray<Run> = [Run(row: Row(0), number: 0)]
    /// The number that row 0 would have in the last run, from which those of generations are counted.
    private var origin: Int64 = 0
    /// How often a row can be used again, so that its number is nobody else's.
    private(set) var highestGeneration: Int32 = .max - 1
    /// The numbers that rows got since then; `nil` for none.
    private var given: GivenNumbers?
    /// The lowest number for new objects of the process that writes the document, where that is another one.
    private(set) var nextElsewhere: Int64?

    /// The number that row 0 would have among those that this process gives out itself, where others give out theirs;
    /// `nil` where it alone does.
    private var own: Int64?

    /// From here on are the numbers of rows that a process uses which does not write the document.
    private static let ownNumbers: Int64 = 1 << 62

    /// Numbers that are the rows themselves.
    init() {}

    /// The numbers of the first rows, and then some that none of these has.
    ///
    /// The runs are in the order of their rows, the first of row 0; no number is in two of them.
    ///
    /// - Parameters:
    ///   - given: The runs.
    ///   - later: The first row after those that have them.
    ///   - bound: The lowest number for later rows, where those from it on leave them room.
    init(_ given: ContiguousArray<Run>, before later: Row, next bound: Int64 = 0) {
        guard !given.isEmpty || bound > 0 else { return }
        var runs = given
        var sorted = ContiguousArray(given.sorted { $0.number < $1.number })
        var ends: [Row: Row] = [:]
        for (index, run) in given.enumerated() {
            ends[run.row] = index + 1 < given.count ? given[index + 1].row : later
        }
        func end(_ run: Run) -> Int64 { run.number(of: ends[run.row] ?? run.row) }
        // New rows follow the highest number, or where that leaves them no room the first gap that does.
        let room = Int64(Int32.max)
        var next: Int64 = 0
        if sorted.last?.number ?? 0 <= .max - 2 * room, bound <= .max - 2 * room {
            next = max(sorted.last.map(end) ?? 0, bound)
        } else {
            for run in sorted {
                if run.number - next >= room { break }
                next = end(run)
            }
        }
        let isContinued = given.last.map { end($0) == next } ?? false
        if !isContinued {
            runs.append(Run(row: later, number: next))
            let position = sorted.firstIndex { $0.number > next } ?? sorted.endIndex
            sorted.insert(Run(row: later, number: next), at: position)
        }
        self.runs = runs
        runsByNumber = sorted
        origin = runs.last.map { $0.number(of: Row(0)) } ?? 0
        let limit = sorted.first { $0.number > next }?.number ?? .max
        let generations = (limit - next) >> Self.rowBits - 2
        highestGeneration = Int32(clamping: min(max(0, generations), Int64(Int32.max) - 1))
    }

    /// The numbers of a process that is not the only one to give them out: rows that come later have those of its own,
    /// from `own` on, which no object of others has.
    private init(_ given: ContiguousArray<Run>, before later: Row, own: Int64) {
        runs = given + [Run(row: later, number: own + Int64(later.index))]
        runsByNumber = ContiguousArray(runs.sorted { $0.number < $1.number })
        (origin, self.own, highestGeneration) = (own, own, .max - 1)
    }

    /// The numbers of the first rows, where later ones have numbers from `own` on, which nobody else gives out.
    func sharing(from own: Int64, before later: Row) -> RowNumbers {
        RowNumbers(runs(before: later), before: later, own: own)
    }

    /// The numbers of the first rows, for a process that follows the one which gives them.
    func following(before later: Row) -> RowNumbers {
        let runs = runs(before: later)
        // Who has given such numbers by hand is not followed any further than this.
        guard runs.allSatisfy({ Self.isElsewhere($0.number) }) else { return self }
        var numbers = RowNumbers(runs, before: later, own: Self.ownNumbers)
        numbers.nextElsewhere = number(of: later)
        return numbers
    }

    /// Whether a number may be that of an object of the process that is followed.
    private static func isElsewhere(_ number: Int64) -> Bool { number < ownNumbers }

    /// Whether an object that comes from elsewhere may have a number.
    func allows(_ number: Int64) -> Bool {
        number >= 0 && (nextElsewhere == nil || Self.isElsewhere(number))
    }

    /// Whether a number is one of those that this process gives out, and only it.
    func isOwn(_ number: Int64) -> Bool {
        guard let own else { return false }
        return number >= own && number - own <= Int64(Int32.max)
    }

    /// The use of a row for which this process gives out one of its numbers; the row is none where the generation tells.
    func use(of number: Int64) -> RowAllocator.Use? {
        guard isOwn(number), let own else { return nil }
        let place = Int32(number - own)
        return place <= Self.lastGeneration
            ? RowAllocator.Use(row: Row(rawValue: place), generation: 0)
            : RowAllocator.Use(row: .none, generation: .max - place)
    }

    /// Whether others give out numbers, too.
    var isShared: Bool { own != nil && nextElsewhere == nil }

    // MARK: - Giving

    /// Gives a row, in the generation that it has, the number of an object that came from elsewhere, for the transaction of
    /// `token`.
    ///
    /// - Complexity: O(1), however many rows there are.
    mutating func give(_ number: Int64, to row: Row, generation: Int32, token: UInt64) {
        nextElsewhere = nextElsewhere.map { max($0, number + 1) }
        // An object that comes back may get its former row, which has another number by itself since it was cleared.
        if given == nil, self.number(of: row, generation: generation) == number { return }
        give(Optional(number), to: row, token)
    }

    /// Gives a row that is used again the number of its generation.
    mutating func renew(_ row: Row, generation: Int32, token: UInt64) {
        guard given != nil || isShared else { return }
        give(isShared && generation > 0 ? lateNumber(generation) : nil, to: row, token)
    }

    private mutating func give(_ number: Int64?, to row: Row, _ token: UInt64) {
        if given == nil { given = GivenNumbers() }
        given?.give(number, to: row, token: token)
    }

    /// The same numbers of rows which were used once, all of them as runs, for a process that alone gives out numbers.
    ///
    /// - Parameters:
    ///   - end: The first row after those that had numbers before others were given.
    ///   - later: The first row after those that have numbers now.
    /// - Returns: The numbers of all rows.
    func settled(after end: Row, before later: Row) -> RowNumbers {
        given == nil
            ? self : RowNumbers(runs(before: later), before: later, next: impliedNumber(of: end))
    }

    /// The runs of the first rows, which were used once.
    private func runs(before later: Row) -> ContiguousArray<Run> {
        guard given != nil else { return runs.filter { $0.row < later } }
        var result: ContiguousArray<Run> = []
        for row in Row(0)..<later {
            let number = number(of: row)
            if result.last?.number(of: row) != number {
                result.append(Run(row: row, number: number))
            }
        }
        return result
    }

    // MARK: - Looking up

    /// How many bits of a number tell the row, where a generation is part of it.
    private static let rowBits: Int64 = 31

    /// The number of a row in a generation.
    func number(of row: Row, generation: Int32 = 0) -> Int64 {
        if let number = given?.number(of: row) { return number }
        if generation == 0 { return impliedNumber(of: row) }
        return isShared
            ? lateNumber(generation)
            : origin + Int64(generation) << Self.rowBits + Int64(row.index)
    }

    /// How many generations of a table, and how many rows, have numbers of their own where others give out numbers, too.
    static let lastGeneration = Int32.max / 2

    /// The number of a row that is used again, where others give out numbers, too.
    private func lateNumber(_ generation: Int32) -> Int64 {
        origin + Int64(Int32.max - generation)
    }

    /// The row and the generation of a number, or `nil` where no row has it, nor ever will.
    ///
    /// A number that was given tells nothing of a generation; `current` tells which one a row has.
    func rowAndGeneration(
        of number: Int64, _ current: (Row) -> Int32
    ) -> (row: Row, generation: Int32)? {
        if let row = given?.row(of: number) { return (row, current(row)) }
        guard let implied = impliedRow(of: number), given?.number(of: implied.row) == nil else {
            return nil
        }
        return implied
    }

    /// The row that has a number now, or `nil` where none has; `current` tells the generation of a row.
    func row(of number: Int64, _ current: (Row) -> Int32 = { _ in 0 }) -> Row? {
        guard let (row, generation) = rowAndGeneration(of: number, current),
            generation == current(row)
        else { return nil }
        return row
    }

    private func impliedRow(of number: Int64) -> (row: Row, generation: Int32)? {
        if let row = firstRow(of: number), !isShared || row.index <= Int(Self.lastGeneration) {
            return (row, 0)
        }
        let (distance, isTooLarge) = number.subtractingReportingOverflow(origin)
        let generation = distance >> Self.rowBits
        guard !isShared, !isTooLarge, generation > 0, generation <= Int64(highestGeneration) else {
            return nil
        }
        let row = distance & (1 << Self.rowBits - 1)
        return (Row(Int(row)), Int32(truncatingIfNeeded: generation))
    }

    /// The number that a row has by its place when it is used the first time.
    private func impliedNumber(of row: Row) -> Int64 {
        runs.count == 1
            ? runs[0].number(of: row) : runs[runs.lastPosition { $0.row <= row }].number(of: row)
    }

    private func firstRow(of number: Int64) -> Row? {
        guard number >= 0 else { return nil }
        let position = runsByNumber.lastPosition { $0.number <= number }
        guard position >= 0 else { return nil }
        let run = runsByNumber[position]
        let index = runs.lastPosition { $0.row <= run.row }
        let end = index + 1 < runs.count ? runs[index + 1].row : .max
        let distance = number - run.number
        return distance < run.row.distance(to: end) ? run.row.advanced(by: Int(distance)) : nil
    }
}

extension ContiguousArray where Element == RowNumbers.Run {
    /// The position of the last element that satisfies a condition which the first ones satisfy and
    /// the others do not; -1 where none does.
    fileprivate func lastPosition(where isBefore: (Element) -> Bool) -> Int {
        indices.endOfPrefix { isBefore(self[$0]) } - 1
    }
}

/// Gives rows to numbers in the order in which they come.
struct RowNumbersBuilder {
    private var runs: ContiguousArray<RowNumbers.Run> = []
    /// The row of the next number.
    private(set) var next = Row(0)
    private var highest: Int64 = -1
    /// The lowest number for rows that come later.
    private var bound: Int64 = 0
    /// All numbers so far, from the first one on that is not higher than those before it.
    private var seen: Set<Int64>?

    init() {}

    /// Keeps numbers below `bound` from those that come by themselves.
    mutating func reserve(below bound: Int64) { self.bound = max(self.bound, bound) }

    /// The row of the next number; `nil` where the number was there before.
    mutating func append(_ number: Int64) -> Row? {
        let row = next
        let previous = runs.last.map { $0.number(of: row) &- 1 } ?? -1
        // Kept in any case: where tables become one, half of the numbers may have been there.
        if number <= highest, seen == nil { seen = allNumbers }
        if seen?.insert(number).inserted == false { return nil }
        if runs.isEmpty || previous == .max || number != previous + 1 {
            runs.append(RowNumbers.Run(row: row, number: number))
        }
        highest = max(highest, number)
        next = row.advanced(by: 1)
        return row
    }

    private var allNumbers: Set<Int64> {
        var numbers: Set<Int64> = []
        for (index, run) in runs.enumerated() {
            let end = index + 1 < runs.count ? runs[index + 1].row : next
            for row in run.row..<end { numbers.insert(run.number(of: row)) }
        }
        return numbers
    }

    /// The numbers of the rows.
    var numbers: RowNumbers { RowNumbers(runs, before: next, next: bound) }
}
