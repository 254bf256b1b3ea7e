public import Foundation
import PlacesBase

extension Identifiable where Self: ManagedObject {
    /// Reads the bytes of an attribute with external storage off the caller's actor, and tells why
    /// where that cannot be done.
    ///
    /// ```swift
    /// let thumbnail = try await photo.loadData(\.thumbnail)
    /// ```
    /// The attribute itself reads the file at once, on the thread that asks, and is `nil` where the file
    /// is damaged or missing.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The bytes, or `nil` where the attribute has none.
    /// - Throws: `ExternalStorageError`; `ContextError.notAProperty` where the key path is not an
    ///   attribute of the object.
    public nonisolated(nonsending) func loadData(
        _ keyPath: KeyPath<Self, Data?>
    ) async throws -> Data? {
        try await blob(at: keyPath)?.load() ?? self[keyPath: keyPath]
    }

    /// Reads the bytes of an attribute with external storage off the caller's actor, and tells why
    /// where that cannot be done.
    ///
    /// - Parameter keyPath: The attribute.
    /// - Returns: The bytes; none where the attribute was never given any.
    /// - Throws: `ExternalStorageError`; `ContextError.notAProperty` where the key path is not an
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
