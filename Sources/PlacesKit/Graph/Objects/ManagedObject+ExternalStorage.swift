public import Foundation
import PlacesBase

extension Identifiable where Self: ManagedObject {
    /// Reads the bytes of an attribute with external storage off the caller's actor.
    ///
    /// ```swift
    /// let thumbnail = try await photo.loadData(\.thumbnail)
    /// ```
    /// If the file is damaged or missing, this method throws. The attribute itself reads the file
    /// at once, on the calling thread, and is `nil` then.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The bytes, or `nil` if the attribute has none.
    /// - Throws: `ExternalStorageError`; `ContextError.notAProperty` if the key path is not an
    ///   attribute of the object.
    public nonisolated(nonsending) func loadData(
        _ keyPath: KeyPath<Self, Data?>
    ) async throws -> Data? {
        try await blob(at: keyPath)?.load() ?? self[keyPath: keyPath]
    }

    /// Reads the bytes of an attribute with external storage off the caller's actor.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The bytes; empty if the attribute was never given any.
    /// - Throws: `ExternalStorageError`; `ContextError.notAProperty` if the key path is not an
    ///   attribute of the object.
    public nonisolated(nonsending) func loadData(
        _ keyPath: KeyPath<Self, Data>
    ) async throws -> Data {
        try await blob(at: keyPath)?.load() ?? self[keyPath: keyPath]
    }

    /// The blob that the object holds in an attribute; `nil` where it holds none.
    private func blob(at keyPath: AnyKeyPath) throws(ContextError) -> Blob? {
        guard let context, let table, let slot = table.attributeSlot(of: keyPath) else {
            throw .notAProperty(entity: table?.entity.name ?? "", keyPath: "\(keyPath)")
        }
        let column = context.transaction.graph.tables[table.number].columns[slot]
        guard column.kind == .blob, column.isValid(at: row) else { return nil }
        return column.element(Blob.self, at: row)
    }
}

extension Blob {
    private static let queue = BlockingQueue("PlacesKit.ExternalStorage")

    /// The bytes, read on a thread of their own.
    nonisolated(nonsending) func load() async throws(ExternalStorageError) -> Data {
        try await Self.queue.run { () throws(ExternalStorageError) in try self.bytes() }
    }
}
