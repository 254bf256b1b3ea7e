/// What stands in a document for the bytes of an attribute with external storage.
struct BlobReference: Hashable, Sendable {
    /// The name of the file among a document's blobs.
    var number: Int64
    /// How many bytes there are.
    var byteCount: Int
    /// Their CRC-32.
    var checksum: UInt32
}
