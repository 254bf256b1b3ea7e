extension Outbox {
    /// Writes the bytes of values that are in memory alone, before the lines that refer to them.
    static func write(_ values: [SharedValue], in directory: DocumentDirectory) throws {
        guard !values.isEmpty else { return }
        let writer = BlobWriter(directory.blobs, adopts: true)
        for value in values { _ = value.blob.map(writer.reference) }
        try writer.finish()
    }
}
