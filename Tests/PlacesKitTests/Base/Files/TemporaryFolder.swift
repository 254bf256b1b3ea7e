import Foundation
import PlacesKit

/// A real directory of its own for each test, removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: FilePath

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "PlacesKitTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = FilePath(url)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.description)
    }

    /// A path in the directory.
    subscript(name: String) -> FilePath {
        path.appending(name)
    }
}
