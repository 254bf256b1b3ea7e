import PlacesBase

/// Which commits a log has, as far as a base tells it of those that it stands for.
///
/// A folder has one range of numbers at a time, and sends its commits to the log in their order. But the latest one of the
/// range does not tell of all before it: some were refused, and never come; and if a folder goes on elsewhere as a copy, that
/// has later openings of the same range, and knows nothing of what waits in the other one. So each commit is told apart, as
/// one of a span of commits that came one after the other.
///
/// Of each range the last spans are kept. A base has them beside the latest commit of the range, which is all that earlier
/// versions of PlacesKit know; two numbers instead of three are the last commit up to which spans were forgotten:
/// ```json
/// "latest":[[8798245678901,2]],
/// "spans":[[8793945536512,7],[8796101234567,1,3],[8796101234567,5,9],[8798245678901,1,2]]
/// ```
struct LoggedCommits: Sendable, Equatable {
    /// Commits of an opening that came one after the other.
    private struct Span: Equatable {
        let opening: Int64
        var sequences: ClosedRange<Int64>

        func contains(_ id: SharedCommit.ID) -> Bool {
            opening == id.opening && sequences.contains(id.sequence)
        }

        var last: SharedCommit.ID {
            SharedCommit.ID(opening: opening, sequence: sequences.upperBound)
        }
    }

    /// What is known of the commits of a range.
    private struct Known: Equatable {
        /// The spans, those that grew last at the end.
        private(set) var spans: [Span] = []
        /// Of this commit and those before it nothing is known that is in no span; `nil` where all is known.
        private(set) var forgotten: SharedCommit.ID?

        init() {}

        /// Knows the latest commit alone: who has it has all of its opening before it.
        init(upTo id: SharedCommit.ID) {
            add(Span(opening: id.opening, sequences: min(1, id.sequence)...id.sequence))
            forget(upTo: id)
        }

        /// The commit that was made last; it may be in no span any more, if others grew after it.
        var latest: SharedCommit.ID? {
            (spans.map(\.last) + [forgotten]).compactMap(\.self).max { $0.comes(before: $1) }
        }

        /// Whether a commit may be one of those of which nothing is known.
        ///
        /// Two openings of one part are of a folder and of its copy. Which of them was first their numbers do not tell, as
        /// the rest of those is random.
        func hasForgotten(_ id: SharedCommit.ID) -> Bool {
            guard let forgotten else { return false }
            if forgotten.opening == id.opening { return id.sequence <= forgotten.sequence }
            let part = SharingMembership.part
            return part(id.opening) <= part(forgotten.opening)
        }

        mutating func note(_ id: SharedCommit.ID) {
            guard !spans.contains(where: { $0.contains(id) }) else { return }
            let former = spans.lastIndex {
                $0.last.opening == id.opening && $0.last.sequence < .max
                    && $0.last.sequence + 1 == id.sequence
            }
            let first = former.map { spans.remove(at: $0).sequences.lowerBound } ?? id.sequence
            add(Span(opening: id.opening, sequences: first...id.sequence))
        }

        mutating func add(_ span: Span) {
            spans.append(span)
            if spans.count > limit { forget(upTo: spans.removeFirst().last) }
        }

        mutating func forget(upTo id: SharedCommit.ID) {
            if forgotten?.comes(before: id) ?? true { forgotten = id }
        }
    }

    /// How many spans of a range are kept.
    static let limit = 32

    private var ranges: [Int: Known] = [:]

    init() {}

    /// The openings that made the commits that are told apart.
    var openings: Set<Int64> { Set(ranges.values.lazy.flatMap(\.spans).map(\.opening)) }

    /// Takes note of a commit that the log has.
    mutating func note(_ id: SharedCommit.ID) {
        ranges[SharingMembership.range(of: id.opening), default: Known()].note(id)
    }

    /// Whether the log has a commit; `nil` where nothing tells.
    func contains(_ id: SharedCommit.ID) -> Bool? {
        guard let known = ranges[SharingMembership.range(of: id.opening)] else { return false }
        if known.spans.contains(where: { $0.contains(id) }) { return true }
        return known.hasForgotten(id) ? nil : false
    }

    // MARK: - Files

    /// Reads the latest commit of each range, which is all that earlier versions wrote.
    mutating func readLatest(from json: inout JSONReader) throws {
        var found: [Int: SharedCommit.ID] = [:]
        try Self.readNumbers(from: &json) { numbers in
            guard numbers.count == 2 else { return false }
            let id = SharedCommit.ID(opening: numbers[0], sequence: numbers[1])
            let range = SharingMembership.range(of: id.opening)
            if found[range].map({ $0.comes(before: id) }) ?? true { found[range] = id }
            return true
        }
        ranges.merge(found.mapValues(Known.init(upTo:))) { known, _ in known }
    }

    /// Reads the last spans of each range.
    mutating func readSpans(from json: inout JSONReader) throws {
        var found: [Int: Known] = [:]
        try Self.readNumbers(from: &json) { numbers in
            guard let opening = numbers.first else { return false }
            let range = SharingMembership.range(of: opening)
            if numbers.count == 2 {
                let id = SharedCommit.ID(opening: opening, sequence: numbers[1])
                found[range, default: Known()].forget(upTo: id)
                return true
            }
            guard numbers.count == 3, numbers[1] <= numbers[2] else { return false }
            found[range, default: Known()]
                .add(Span(opening: opening, sequences: numbers[1]...numbers[2]))
            return true
        }
        ranges.merge(found) { $1 }
    }

    /// Reads lists of numbers; `note` returns whether it can be one of them.
    private static func readNumbers(
        from json: inout JSONReader, _ note: ([Int64]) -> Bool
    ) throws {
        try json.beginArray()
        while try json.nextElement() {
            var numbers: [Int64] = []
            try json.beginArray()
            while try json.nextElement() { numbers.append(try json.readInt64()) }
            guard note(numbers) else {
                throw json.failure(.invalidValue(expected: "an opening and its sequences"))
            }
        }
    }

    /// Writes the latest commit of each range.
    func writeLatest(to writer: inout JSONWriter) {
        writer.writeLists(sorted.lazy.compactMap(\.latest).map { [$0.opening, $0.sequence] })
    }

    /// Writes the last spans of each range.
    func writeSpans(to writer: inout JSONWriter) {
        writer.writeLists(
            sorted.lazy.flatMap { known in
                (known.forgotten.map { [[$0.opening, $0.sequence]] } ?? [])
                    + known.spans.map { span in
                        [span.opening, span.sequences.lowerBound, span.sequences.upperBound]
                    }
            })
    }

    private var sorted: [Known] { ranges.sorted { $0.key < $1.key }.map(\.value) }
}

extension JSONWriter {
    fileprivate mutating func writeLists(_ lists: some Sequence<[Int64]>) {
        beginArray()
        for list in lists {
            beginArray()
            list.forEach { write($0) }
            endArray()
        }
        endArray()
    }
}

extension SharedCommit.ID {
    /// Whether the commit was made before another one of the same range.
    fileprivate func comes(before other: SharedCommit.ID) -> Bool {
        (opening, sequence) < (other.opening, other.sequence)
    }
}
