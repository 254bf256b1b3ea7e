import Foundation

extension SnapshotOutput {
    /// Writes the value that a row of a chunk holds.
    mutating func writeValue(
        of type: AttributeType, in block: UnsafeMutableRawPointer, at offset: Int,
        _ blobs: (any BlobNotation)?
    ) {
        switch type {
        case .boolean: write(block.elements(of: Bool.self)[offset])
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
            write(block.elements(of: Int64.self)[offset])
        case .uint64: write(UInt64(ordered: block.elements(of: Int64.self)[offset]))
        case .decimal: write(block.elements(of: Decimal.self)[offset])
        case .json: writeJSON(block.elements(of: String.self)[offset])
        case .float, .double: write(block.elements(of: Double.self)[offset])
        case .date: write(date: block.elements(of: Double.self)[offset])
        case .string, .url:
            if block.readPacked(at: offset, { write(text: $0) }) == nil {
                write(block.slots(of: String.self)[offset])
            }
        case .uuid: writePlain(block.elements(of: UUID.self)[offset].uuidString)
        case .data where block.isExternal: write(block.elements(of: Blob.self)[offset], blobs)
        case .data: write(block.elements(of: Data.self)[offset])
        }
    }
}
