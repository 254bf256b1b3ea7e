import PlacesBase

/// The name of a file with commits that the log does not have, as far as was known: `outbox-7.jsonl`.
struct OutboxName: CustomStringConvertible {
    /// The number of the commit that the commits come after.
    let base: Int

    init(base: Int) { self.base = base }

    /// The outbox of a file's name, or `nil` for a file that is something else.
    init?(_ name: String) {
        guard name.hasPrefix("outbox-"), name.hasSuffix(".jsonl"),
            let base = Int(name.dropFirst(7).dropLast(6)), JournalHeader.commits.contains(base)
        else { return nil }
        self.init(base: base)
        guard description == name else { return nil }
    }

    var description: String { "outbox-\(base).jsonl" }
}

extension DocumentDirectory {
    /// The path of the file with the commits that come after one of a number.
    func outbox(after base: Int) -> FilePath {
        path.appending(OutboxName(base: base).description)
    }
}
