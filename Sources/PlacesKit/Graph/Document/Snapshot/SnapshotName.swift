/// The name of a snapshot's file: `snapshot-7.json`, or `snapshot-7.plist` for property lists.
struct SnapshotName: Equatable, CustomStringConvertible {
    /// Which of the document's snapshots it is, counted from 1.
    let generation: Int64
    let fileExtension: String

    init(generation: Int64, format: SnapshotFormat) {
        self.generation = generation
        fileExtension = format.fileExtension
    }

    /// The snapshot of a file's name, or `nil` for a file that is something else.
    init?(_ name: String) {
        let format = SnapshotFormat.allCases.first { name.hasSuffix(".\($0.fileExtension)") }
        guard name.hasPrefix("snapshot-"), let format,
            let generation = Int64(name.dropFirst(9).dropLast(format.fileExtension.count + 1)),
            JournalName.generations.contains(generation)
        else { return nil }
        self.init(generation: generation, format: format)
        // Other spellings of the number, such as 007, are not ours.
        guard description == name else { return nil }
    }

    var description: String { "snapshot-\(generation).\(fileExtension)" }
}
