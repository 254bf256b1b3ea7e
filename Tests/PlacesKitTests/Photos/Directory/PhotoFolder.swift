import Foundation
import PlacesKit

/// A folder of photos for one test, removed with everything in it.
struct PhotoFolder {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    var url: URL { URL(filePath: folder.path.description, directoryHint: .isDirectory) }

    /// A source that knows nothing of the folder yet.
    var source: DirectoryPhotoSource { DirectoryPhotoSource(directory: url) }

    func write(_ bytes: [UInt8], to path: String) throws {
        let url = URL(filePath: folder[path].description)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Writes a JPEG file of so many pixels that says nothing of itself.
    func writePhoto(_ path: String, width: Int = 64, height: Int = 48) throws {
        var file = JPEGBuilder()
        (file.width, file.height) = (width, height)
        try write(file.bytes, to: path)
    }

    /// Writes an empty file whose name is any bytes.
    ///
    /// - Returns: Whether the volume takes such a name.
    func write(name: [UInt8]) -> Bool {
        let path = Array(folder.path.description.utf8) + [UInt8(ascii: "/")] + name + [0]
        let file = path.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { path in
                path.baseAddress.flatMap { fopen($0, "w") }
            }
        }
        guard let file else { return false }
        fclose(file)
        return true
    }
}
