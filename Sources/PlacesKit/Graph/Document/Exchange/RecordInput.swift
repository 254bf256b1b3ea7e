/// Reads the records of a file, one after the other.
protocol RecordInput {
    /// Begins with the beginning of a file.
    init(_ source: ByteSource) throws
    /// How many bytes were read.
    var count: Int { get }
    /// Reads a record into an importer; false at the end of the file.
    mutating func readRecord(into importer: inout RecordImporter) throws -> Bool
}
