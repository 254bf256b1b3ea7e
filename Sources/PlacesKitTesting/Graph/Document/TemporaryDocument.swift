public import Foundation

/// Gives a test a directory of its own, and removes it with everything in it afterwards.
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
/// - Parameter body: Gets the file URL of an empty directory, and may be of any isolation.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws, or why the directory could not be made.
public nonisolated(nonsending) func withTemporaryDirectory<Result>(
    _ body: nonisolated(nonsending) (URL) async throws -> Result
) async throws -> Result {
    let directory = FileManager.default.temporaryDirectory
        .appending(path: "PlacesKit-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // NB: what cannot be removed is left to the system, for a test should fail for its own reasons.
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
