/// The name of a journal's file: `journal-7.jsonl`.
struct JournalName: CustomStringConvertible {
    /// The generations that a name can have: however many come after it, no number overflows.
    static let generations: Range<Int64> = 1..<1 << 62

    /// The generation of the snapshot that the journal's commits come after.
    let generation: Int64

    init(generation: Int64) { self.generation = generation }

    /// The journal of a file's name, or `nil` for a file that is something else.
    init?(_ name: String) {
        guard name.hasPrefix("journal-"), name.hasSuffix(".jsonl"),
            let generation = Int64(name.dropFirst(8).dropLast(6)),
            Self.generations.contains(generation)
        else { return nil }
        self.init(generation: generation)
        // Other spellings of the number, such as 007, are not ours.
        guard description == name else { return nil }
    }

    /// The generations of the journals among some files, ascending.
    static func generations(_ names: [String]) -> [Int64] {
        names.compactMap { JournalName($0)?.generation }.sorted()
    }

    var description: String { "journal-\(generation).jsonl" }
}
