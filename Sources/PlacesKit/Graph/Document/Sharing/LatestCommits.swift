import PlacesBase

/// The latest commit of each opening: all commits of the opening up to it are in the log.
///
/// A folder has one range of numbers at a time, sends its commits to the log in their order, and never sends one again that
/// was refused. So the last opening of a range would tell of all before it, if no folder went on elsewhere as a copy: that
/// has later openings of the same range, and knows nothing of what the other folder had waiting.
///
/// Of each range the last openings are told apart. A file has them as pairs. One with sequence 0 says from which opening on
/// all are there of which the log has commits:
/// ```json
/// [[8796093022208,0],[8796101234567,3],[8798245678901,1]]
/// ```
/// Earlier versions of PlacesKit write the latest commit of each range alone, and take the largest pair for that.
struct LatestCommits: Sendable, Equatable {
    /// What is known of the openings of a range.
    private struct Openings: Equatable {
        /// The last commit of each.
        var sequences: [Int64: Int64] = [:]
        /// From which opening on there is none besides these.
        var start: Int64

        mutating func note(_ id: SharedCommit.ID) {
            sequences[id.opening] = max(sequences[id.opening] ?? 0, id.sequence)
            guard sequences.count > limit, let first = sequences.keys.min() else { return }
            sequences[first] = nil
            start = max(start, first + 1)
        }
    }

    /// How many openings of a range are told apart, the last ones.
    static let limit = 32

    private var ranges: [Int: Openings] = [:]

    init() {}

    /// The openings that made them.
    var openings: Set<Int64> { Set(ranges.values.lazy.flatMap(\.sequences.keys)) }

    /// Takes note of a commit that the log has.
    mutating func note(_ id: SharedCommit.ID) {
        let range = SharingMembership.range(of: id.opening)
        let start = SharingMembership.start(ofRange: range)
        ranges[range, default: Openings(start: start)].note(id)
    }

    /// Whether the log has a commit.
    ///
    /// - Parameters:
    ///   - id: The commit.
    ///   - own: Openings that came after all before them in the same folder: whoever has a commit of theirs has those, too.
    /// - Returns: Whether it has; `nil` where nothing tells.
    func contains(_ id: SharedCommit.ID, before own: Set<Int64>) -> Bool? {
        let range = SharingMembership.range(of: id.opening)
        guard let openings = ranges[range] else { return false }
        if let last = openings.sequences[id.opening] { return id.sequence <= last }
        if id.opening >= openings.start { return false }
        return openings.sequences.keys.contains { $0 > id.opening && own.contains($0) } ? true : nil
    }

    // MARK: - Files

    /// Reads what was written.
    init(from json: inout JSONReader) throws {
        var starts: [Int: Int64] = [:]
        try json.beginArray()
        while try json.nextElement() {
            var numbers: [Int64] = []
            try json.beginArray()
            while try json.nextElement() { numbers.append(try json.readInt64()) }
            guard numbers.count == 2 else {
                throw json.failure(.invalidValue(expected: "an opening and a sequence"))
            }
            if numbers[1] == 0 {
                starts[SharingMembership.range(of: numbers[0])] = numbers[0]
            } else {
                note(SharedCommit.ID(opening: numbers[0], sequence: numbers[1]))
            }
        }
        for (range, openings) in ranges {
            guard let last = openings.sequences.keys.max() else { continue }
            ranges[range]?.start = max(openings.start, starts[range] ?? last)
        }
    }

    func write(to writer: inout JSONWriter) {
        func write(_ opening: Int64, _ sequence: Int64) {
            writer.beginArray()
            writer.write(opening)
            writer.write(sequence)
            writer.endArray()
        }
        writer.beginArray()
        for (_, openings) in ranges.sorted(by: { $0.key < $1.key }) {
            write(openings.start, 0)
            for (opening, last) in openings.sequences.sorted(by: { $0.key < $1.key }) {
                write(opening, last)
            }
        }
        writer.endArray()
    }
}
