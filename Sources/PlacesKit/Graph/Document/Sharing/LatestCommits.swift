import PlacesBase

/// The latest commit of each range of numbers: all commits of the range up to it are in the log.
///
/// A folder has one range at a time, sends its commits to the log in their order, and never sends one again that was
/// refused.
struct LatestCommits: Sendable, Equatable {
    private var ids: [Int: SharedCommit.ID] = [:]

    init() {}

    /// The openings that made them.
    var openings: Set<Int64> { Set(ids.values.lazy.map(\.opening)) }

    /// Takes note of a commit that the log has.
    mutating func note(_ id: SharedCommit.ID) {
        let range = SharingMembership.range(of: id.opening)
        if ids[range].map({ $0.comes(before: id) }) ?? true { ids[range] = id }
    }

    /// Whether the log has a commit.
    func contains(_ id: SharedCommit.ID) -> Bool {
        guard let latest = ids[SharingMembership.range(of: id.opening)] else { return false }
        return !latest.comes(before: id)
    }

    // MARK: - Files

    /// Reads what was written.
    init(from json: inout JSONReader) throws {
        try json.beginArray()
        while try json.nextElement() {
            var numbers: [Int64] = []
            try json.beginArray()
            while try json.nextElement() { numbers.append(try json.readInt64()) }
            guard numbers.count == 2 else {
                throw json.failure(.invalidValue(expected: "an opening and a sequence"))
            }
            note(SharedCommit.ID(opening: numbers[0], sequence: numbers[1]))
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for (_, id) in ids.sorted(by: { $0.key < $1.key }) {
            writer.beginArray()
            writer.write(id.opening)
            writer.write(id.sequence)
            writer.endArray()
        }
        writer.endArray()
    }
}

extension SharedCommit.ID {
    /// Whether the commit was made before another one of the same range.
    fileprivate func comes(before other: SharedCommit.ID) -> Bool {
        (opening, sequence) < (other.opening, other.sequence)
    }
}
