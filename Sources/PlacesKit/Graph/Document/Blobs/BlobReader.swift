import Foundation
import PlacesBase

/// Makes the blobs to which the files of a document refer.
final class BlobReader {
    private static let keys = FileKeys<BlobKey>()

    private let files: BlobFiles
    /// All references that were read.
    private(set) var references: Set<BlobReference> = []
    /// Whether bytes stood where a reference should: earlier versions wrote them so.
    private(set) var foundBytes = false
    /// The blobs of which only digests are told.
    var values: [String: Blob] = [:]

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
        let text = try readText(from: &json)
        guard let reader else {
            throw json.expected("Base64, for the file is read without its document", at: start)
        }
        guard let found = reader.blob(of: text) else {
            throw json.expected("a digest of bytes that are there", at: start)
        }
        if attribute.usesExternalStorage { return .blob(found) }
        do {
            return .value(.data(try found.bytes()))
        } catch {
            throw json.expected("a blob that can be read: \(error)", at: start)
        }
    }

    /// The blob for which something stands.
    private func blob(of text: BlobText) -> Blob? {
        switch text {
        case .reference(let reference):
            references.insert(reference)
            return Blob(reference, in: files)
        case .digest(let digest, _): return values[digest]
        case .bytes(let bytes): return Blob(bytes)
        }
    }

    /// Reads where the bytes of a blob lie.
    static func readReference(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws(JSONError) -> BlobReference {
        let start = json.offset
        guard case .reference(let reference) = try readText(from: &json) else {
            throw json.expected(#"a blob with its "blob", "bytes" and "crc""#, at: start)
        }
        return reference
    }

    /// Reads what stands for a blob, unless that is its bytes.
    private static func readText(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws(JSONError) -> BlobText {
        let start = json.offset
        var (number, byteCount, checksum) = (Int64?.none, Int64?.none, UInt32?.none)
        var digest: String?
        try json.beginObject()
        while let key = try json.nextKey(in: keys) {
            switch key {
            case .number: number = try json.readInt64()
            case .digest: digest = try json.readString()
            case .byteCount: byteCount = try json.readInt64()
            case .checksum:
                checksum = try json.readString(as: "eight hexadecimal digits") {
                    CRC32.checksum(ofText: $0)
                }
            }
        }
        guard let byteCount, BlobFiles.byteCounts.contains(byteCount) else {
            throw json.expected(#"a blob with its "bytes""#, at: start)
        }
        if let digest { return .digest(digest, byteCount: Int(byteCount)) }
        guard let number, BlobFiles.numberRange.contains(number), let checksum else {
            throw json.expected(#"a blob with its "blob", "bytes" and "crc""#, at: start)
        }
        return .reference(
            BlobReference(number: number, byteCount: Int(byteCount), checksum: checksum))
    }
}
