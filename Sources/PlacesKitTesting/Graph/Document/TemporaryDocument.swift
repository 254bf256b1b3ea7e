public import Foundation

/// Gives a test a directory of its own, and removes the directory and its content afterwards.
///
/// ```swift
/// @Test func `a photo survives`() async throws {
///     try await withTemporaryDirectory { directory in
///         let url = directory.appending(path: "Photos")
///         let document = try await ManagedDocument.open(at: url, model: [Photo.self])
///         …
///     }
/// }
/// ```
///
/// - Parameter body: Gets the file URL of an empty directory, and may have any isolation.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or why the directory could not be created.
public nonisolated(nonsending) func withTemporaryDirectory<Result>(
    _ body: nonisolated(nonsending) (URL) async throws -> Result
) async throws -> Result {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "PlacesKit-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // NB: if the directory cannot be removed, the system does it later: tests fail for their own
    // reasons.
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
