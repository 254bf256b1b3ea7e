public import Foundation
import PlacesBase

extension ManagedDocument {
    /// The bytes for which a value of a ``ChangeRecord`` stands.
    ///
    /// In the feed an attribute with external storage has a reference instead of its bytes. What it
    /// leads to stays as long as an object has it, and as long as the files do that name it; of a document
    /// that was saved elsewhere since, those of the former location.
    ///
    /// ```swift
    /// for object in change.inserted + change.updated {
    ///     if let value = object.values["thumbnail"] {
    ///         let thumbnail = try await document.externalData(value)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter value: The value: a reference, Base64, or null.
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
}
