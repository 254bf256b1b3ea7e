public import Foundation
import PlacesBase

/// Bytes of an attribute with external storage, to which commits and bases of a ``SharedLog`` refer by their digest.
///
/// A log keeps the bytes of a digest once, as long as a commit or the base refers to them, and asks for those only that it
/// does not have.
public struct SharedValue: Sendable, Hashable, Identifiable {
    private enum Source: Sendable {
        case document(Blob)
        case log(@Sendable () async throws -> Data)
    }

    /// The SHA-256 digest of the bytes, as 64 hexadecimal digits in lower case.
    public let digest: String
    /// How many bytes there are.
    public let byteCount: Int
    private let source: Source

    /// The digest.
    public var id: String { digest }

    /// Describes a value that a log has.
    ///
    /// - Parameters:
    ///   - digest: The SHA-256 digest of the bytes, as it was handed over.
    ///   - byteCount: How many bytes there are.
    ///   - bytes: Fetches them.
    public init(
        digest: String, byteCount: Int, bytes: @escaping @Sendable () async throws -> Data
    ) {
        (self.digest, self.byteCount, source) = (digest, byteCount, .log(bytes))
    }

    /// A value of a document.
    init(_ blob: Blob) throws(ExternalStorageError) {
        (digest, byteCount, source) = (try blob.digest(), blob.count, .document(blob))
    }

    /// The blob that has the bytes in this process, if they are here.
    var blob: Blob? {
        if case .document(let blob) = source { blob } else { nil }
    }

    /// The bytes, which are those of the digest.
    ///
    /// - Throws: What keeps the log from answering, or `ExternalStorageError` where it gives others, or a file of the document
    ///   can't be read.
    public nonisolated(nonsending) func bytes() async throws -> Data {
        switch source {
        case .document(let blob):
            do throws(ExternalStorageError) {
                return try await blob.load()
            } catch {
                throw error.naming(digest)
            }
        case .log(let fetch):
            let bytes = try await elsewhere(fetch)
            guard bytes.count == byteCount, bytes.withUnsafeBytes(SHA256.text) == digest else {
                throw ExternalStorageError.damaged(
                    file: "Value \(digest) of the shared log",
                    reason: "it has other bytes than the \(byteCount) with that digest")
            }
            return bytes
        }
    }

    /// The digest of some bytes.
    package static func digest(of bytes: UnsafeRawBufferPointer) -> String {
        SHA256.text(of: bytes)
    }

    /// The same value, which somebody else fetches.
    package func fetching(
        _ bytes: @escaping @Sendable (_ digest: String) async throws -> Data
    ) -> SharedValue {
        SharedValue(digest: digest, byteCount: byteCount) { [digest] in try await bytes(digest) }
    }

    /// Whether both have the same digest, and so the same bytes.
    public static func == (first: SharedValue, second: SharedValue) -> Bool {
        first.digest == second.digest
    }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension ExternalStorageError {
    /// The same error with the digest of the bytes: any file that has them is of use.
    fileprivate func naming(_ digest: String) -> ExternalStorageError {
        switch self {
        case .missing(let file):
            .missing(file: "\(file), or another file with the digest \(digest)")
        default: self
        }
    }
}

extension SharedValue {
    /// How many bytes an attribute may have that stand in a commit themselves: a reference would not be shorter.
    private static let inlineLimit = 128

    /// Reads what a line has, whose bytes somebody fetches by their digest.
    static func read(
        from json: inout JSONReader,
        fetching bytes: @escaping @Sendable (String) async throws -> Data
    ) throws -> [SharedValue] {
        var values: [SharedValue] = []
        try json.beginArray()
        while try json.nextElement() {
            try json.beginArray()
            guard try json.nextElement(), case let digest = try json.readString(),
                try json.nextElement(), case let count = try json.readInt64(),
                try !json.nextElement(), BlobFiles.byteCounts.contains(count), isDigest(digest)
            else {
                throw json.failure(.invalidValue(expected: "a digest and a number of bytes"))
            }
            values.append(
                SharedValue(digest: digest, byteCount: Int(count)) { try await bytes(digest) })
        }
        return values
    }

    /// Whether a text is a digest, which may be the name of a file.
    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Whether the bytes of a blob stand for themselves.
    static func isInline(_ blob: Blob) -> Bool { blob.isInline || blob.count <= inlineLimit }
}

extension JSONWriter {
    /// Writes which values a commit or a base refers to.
    mutating func write(_ values: [SharedValue]) {
        beginArray()
        for value in values {
            beginArray()
            writePlain(value.digest)
            write(Int64(value.byteCount))
            endArray()
        }
        endArray()
    }
}

/// Lets what a log gets refer to values by their digests.
final class SharedValueNotation: BlobNotation {
    /// The values, each once, in the order in which they came.
    private(set) var values: [SharedValue] = []
    private var known: Set<String> = []

    /// Refers to all that changes bring; to nothing without changes.
    init(_ changes: ChangeSet?) {
        _ = changes?.bringsBlob {
            add($0)
            return false
        }
    }

    /// Takes a blob, unless it stands by itself.
    ///
    /// One that can't be read is reported, and stands there as if it had no bytes.
    private func add(_ blob: Blob) {
        guard !SharedValue.isInline(blob), let value = try? SharedValue(blob) else { return }
        if known.insert(value.digest).inserted { values.append(value) }
    }

    func text(for blob: Blob) -> BlobText {
        guard !known.isEmpty, !SharedValue.isInline(blob), let digest = try? blob.digest(),
            known.contains(digest)
        else { return .bytes(blob.data ?? Data()) }
        return .digest(digest, byteCount: blob.count)
    }
}
