extension FileSystem {
    /// Replaces a file, or makes it, in such a way that it holds either the old content or the new one,
    /// whatever happens, and the new one for good once this returns.
    ///
    /// The content goes to a temporary file beside it first. Should the process die, that file stays
    /// behind; ``removeTemporaries(in:)`` clears it away.
    ///
    /// - Parameters:
    ///   - path: The file. A symbolic link is replaced itself.
    ///   - produce: Writes the content.
    /// - Throws: ``FileSystemError``, or what `produce` throws.
    func replaceFile(
        at path: FilePath, with produce: (any WritableFile) throws -> Void
    ) throws {
        let temporary = path.temporary
        let file = try open(temporary, mode: .createNew)
        do {
            try produce(file)
            try file.synchronize()
            try file.close()
            try rename(temporary, to: path)
        } catch {
            try? file.close()
            try? remove(temporary)
            throw error
        }
        try synchronizeDirectory(path.parent)
    }

    /// Replaces a file, or makes it, as ``replaceFile(at:with:)`` does.
    func replaceFile(at path: FilePath, with content: [UInt8]) throws {
        try replaceFile(at: path) { try $0.write(content) }
    }

    /// Removes what replacements that did not come to their end have left in a directory.
    ///
    /// Only who holds the document's lock may do this.
    func removeTemporaries(in directory: FilePath) throws(FileSystemError) {
        for name in try list(directory) where FilePath(name).isTemporary {
            try remove(directory.appending(name))
        }
    }

    /// Makes a directory that outlasts a crash, unless there is one.
    func ensureDirectory(at path: FilePath) throws(FileSystemError) {
        guard try status(of: path)?.isDirectory != true else { return }
        try makeDirectory(at: path)
        try synchronizeDirectory(path.parent)
    }

    /// Whether there is a file or directory at a path.
    func exists(_ path: FilePath) throws(FileSystemError) -> Bool {
        try status(of: path) != nil
    }
}

extension FilePath {
    private static let temporaryExtension = ".tmp"

    /// A new name in the same directory.
    fileprivate var temporary: FilePath {
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        return parent.appending(".\(name).\(number)\(Self.temporaryExtension)")
    }

    /// Whether a file is one whose content was to replace that of another.
    var isTemporary: Bool {
        name.hasPrefix(".") && name.hasSuffix(Self.temporaryExtension)
    }
}
