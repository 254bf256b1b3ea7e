/// What lies at a path.
package struct FileStatus: Equatable, Sendable {
    package let kind: FileSystemError.FileKind
    package let size: Int

    package init(_ kind: FileSystemError.FileKind, size: Int) {
        (self.kind, self.size) = (kind, size)
    }

    package init(isDirectory: Bool, size: Int) {
        self.init(isDirectory ? .directory : .file, size: size)
    }

    package var isDirectory: Bool { kind == .directory }
}

/// Identifies a file, whatever its names are, as long as it exists or is open.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let number: UInt64
}
