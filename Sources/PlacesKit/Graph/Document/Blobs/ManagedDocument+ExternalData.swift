public import Foundation
import PlacesBase

extension ManagedDocument {
    /// Reads the bytes for a value of a ``ChangeRecord``.
    ///
    /// In the change feed an attribute with external storage has a reference instead of its bytes.
    /// The bytes stay as long as an object has them, or a file names them. If the document was
    /// saved elsewhere since, this counts the files at the former location.
    ///
    /// ```swift
    /// for object in change.inserted + change.updated {
    ///     if let value = object.values["thumbnail"] {
    ///         let thumbnail = try await document.externalData(value)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter value: A reference, text in Base64, or null.
    /// - Returns: The bytes, or `nil` for null.
    /// - Throws: ``ExternalStorageError``.
    public nonisolated(nonsending) func externalData(
        _ value: JSONValue
    ) async throws(ExternalStorageError) -> Data? {
        switch value {
        case .null: return nil
        case .string(let text):
            guard let data = Data(base64Encoded: text) else { throw .notAReference }
            return data
        case .object:
            var text = JSONWriter()
            text.write(value)
            let reference = try? JSONReader.read(text.bytes) { json in
                try BlobReader.readReference(from: &json)
            }
            guard let reference else { throw .notAReference }
            return try await writer.blobLocations.load(reference)
        case .boolean, .integer, .unsigned, .number, .array: throw .notAReference
        }
    }

    /// Removes the bytes that no object has any more from the disk, at once.
    ///
    /// Those stay that an undo, a snapshot or a context in this process still has, and all of them if the document keeps
    /// its history.
    ///
    /// - Complexity: O(n) for n objects: the document is written as a whole, twice.
    /// - Throws: `DocumentError`.
    package nonisolated(nonsending) func removeLostData() async throws {
        let writer = writer
        // One that is being written would name them again.
        try await writer.finishSnapshot()
        try await writer.queue.run { try writer.removeLostBlobs() }
    }
}
