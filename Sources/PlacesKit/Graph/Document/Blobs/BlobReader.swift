import Foundation
import PlacesBase

/// The keys of what stands for a blob.
enum BlobKey: String, FileKey {
    case number = "blob"
    case byteCount = "bytes"
    case checksum = "crc"
}

/// Makes the blobs to which the files of a document refer.
final class BlobReader {
    private static let keys = FileKeys<BlobKey>()

    private let files: BlobFiles
    /// All references that were read.
    private(set) var references: Set<BlobReference> = []
    /// Whether bytes stood where a reference should: earlier versions wrote them so.
    private(set) var foundBytes = false

    init(_ files: BlobFiles) { self.files = files }

    /// A reader of the same files for another thread.
    func fork() -> BlobReader { BlobReader(files) }

    /// Counts what a fork read as read by this one.
    func join(_ fork: BlobReader) {
        references.formUnion(fork.references)
        foundBytes = foundBytes || fork.foundBytes
    }

    /// What an attribute of data has in a file.
    enum Value {
        case blob(Blob)
        case value(Datum)
    }

    /// Reads the value of an attribute of data.
    static func read(
        _ attribute: AttributeDescription, _ check: ValueCheck?, by reader: BlobReader?,
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws -> Value {
        guard try json.peekKind() == .object else {
            let value = try json.readValue(of: attribute, check)
            if case .data(let bytes) = value, attribute.usesExternalStorage, !bytes.isEmpty,
                value != attribute.defaultValue
            {
                reader?.foundBytes = true
            }
            return .value(value)
        }
        let start = json.offset
        let reference = try readReference(from: &json)
        guard let reader else {
            throw json.expected("Base64, for the file is read without its document", at: start)
        }
        reader.references.insert(reference)
        if attribute.usesExternalStorage { return .blob(Blob(reference, in: reader.files)) }
        do {
            return .value(.data(try reader.files.read(reference)))
        } catch {
            throw json.expected("a blob that can be read: \(error)", at: start)
        }
    }

    /// Reads what stands for a blob.
    static func readReference(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws(JSONError) -> BlobReference {
        let start = json.offset
        var (number, byteCount, checksum) = (Int64?.none, Int64?.none, UInt32?.none)
        try json.beginObject()
        while let key = try json.nextKey(in: keys) {
            switch key {
            case .number: number = try json.readInt64()
            case .byteCount: byteCount = try json.readInt64()
            case .checksum:
                checksum = try json.readString(as: "eight hexadecimal digits") {
                    CRC32.checksum(ofText: $0)
                }
            }
        }
        guard let number, (1..<1 << 62).contains(number), let byteCount, byteCount >= 0,
            byteCount < Int.max, let checksum
        else {
            throw json.expected(#"a blob with its "blob", "bytes" and "crc""#, at: start)
        }
        return BlobReference(number: number, byteCount: Int(byteCount), checksum: checksum)
    }
}
