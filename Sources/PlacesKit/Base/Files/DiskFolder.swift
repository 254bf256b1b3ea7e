/// An open folder, through which the files in it are found.
///
/// It stays the same folder even if its path leads elsewhere later. Links in it are not followed.
package final class DiskFolder: Sendable {
    package let path: FilePath
    package let descriptor: Int32

    /// Opens the folder at a path of the caller's; the path may be a link.
    package init(_ path: FilePath) throws(FileSystemError) {
        try path.check(.open)
        self.path = path
        descriptor = try FileSystemError.check(.open, path) {
            Platform.openDirectory(FileLocation(name: path.description))
        }
    }

    deinit { _ = Platform.closeFile(descriptor) }

    /// The names that lead from the folder to a path; none for the folder itself, and nil if the path leads out of a folder.
    package func names(to path: FilePath) -> [String]? {
        let (root, path) = (self.path.bytes, path.bytes)
        guard path.starts(with: root) else { return nil }
        let rest = path.dropFirst(root.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        let names = rest.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        return names.contains("..") ? nil : names
    }
}

extension FilePath {
    /// The bytes of the path without slashes at its end.
    fileprivate var bytes: Substring.UTF8View {
        var bytes = description[...].utf8
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return bytes
    }
}
