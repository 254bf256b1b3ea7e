import PlacesBase

/// How far a journal was read.
struct JournalPosition: Sendable {
    /// How many of the last bytes are known: they hold the checksum of the last line.
    static let endingCount = 64

    /// The generation of the journal.
    var generation: Int64
    /// Tells the journal from another one of the same name, where the file system can.
    var identity: FileIdentity?
    var header: JournalHeader
    /// How long the lines are that were read, and how many.
    var byteCount: Int
    var lineCount: Int
    /// Their last bytes, by which they are known again: a backup that was copied into the file, and has grown since, may be
    /// as long.
    var ending: [UInt8]

    /// Reads on.
    ///
    /// - Parameters:
    ///   - limit: How many bytes to read after the ending at most.
    ///   - directory: Where the journal is.
    /// - Returns: The ending and what comes after it; `nil` where the journal is gone, or has other lines by now.
    /// - Throws: `FileSystemError`.
    func bytes(
        upTo limit: Int = .max, in directory: DocumentDirectory
    ) throws(FileSystemError) -> [UInt8]? {
        let path = directory.journal(generation)
        guard let size = try directory.files.status(of: path)?.size, size >= byteCount,
            directory.files.identity(of: path) == identity
        else { return nil }
        let bytes = try directory.files.openForSeeking(path).read(
            from: byteCount - ending.count, count: ending.count + min(limit, size - byteCount))
        return bytes.starts(with: ending) ? bytes : nil
    }

    /// Whether the journal had other lines when it was read up to another position, which comes after the same commit.
    func hasOtherLines(than other: JournalPosition) -> Bool {
        generation == other.generation
            && (byteCount != other.byteCount || ending != other.ending)
    }
}
