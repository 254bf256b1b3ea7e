import Foundation

/// A folder of its own for what is measured, which whoever made it removes.
struct TemporaryFolder {
    /// Where it is, unless it is made elsewhere.
    static let standardParent = FileManager.default.temporaryDirectory.path(percentEncoded: false)

    let url: URL

    init(in parent: String = standardParent) throws {
        url = URL(filePath: parent)
            .appending(path: "PlacesKit-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
