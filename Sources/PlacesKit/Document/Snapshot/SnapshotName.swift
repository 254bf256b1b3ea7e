/// The name of a snapshot's file: `snapshot-7.json`.
struct SnapshotName: CustomStringConvertible {
    /// Which of the document's snapshots it is, counted from 1.
    let generation: Int64

    init(generation: Int64) { self.generation = generation }

    /// The snapshot of a file's name, or `nil` for a file that is something else.
    init?(_ name: String) {
        guard name.hasPrefix("snapshot-"), name.hasSuffix(".json"),
            let generation = Int64(name.dropFirst(9).dropLast(5)),
            // However many come after it, no number overflows.
            generation > 0, generation < 1 << 62
        else { return nil }
        self.init(generation: generation)
        // Other spellings of the number, such as 007, are not ours.
        guard description == name else { return nil }
    }

    var description: String { "snapshot-\(generation).json" }
}
