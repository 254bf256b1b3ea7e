extension FileSystem {
    /// Replaces a file, or makes it, in such a way that it holds either the old content or the new one,
    /// whatever happens, and the new one for good once this returns.
    ///
    /// The content goes to a temporary file beside it first. Should the process die, that file stays
    /// behind; ``removeTemporaries(in:)`` clears it away.
    ///
    /// - Parameters:
    ///   - path: The file. A symbolic link is replaced itself.
    ///   - attributes: Whose permissions, owner and extended attributes it has where there is none to take them
    ///     from; without it those of any new file.
    ///   - produce: Writes the content.
    /// - Throws: ``FileSystemError``, or what `produce` throws.
    package func replaceFile(
        at path: FilePath, like attributes: FileAttributes? = nil,
        with produce: (any WritableFile) throws -> Void
    ) throws {
        let temporary = path.temporary
        let file = try create(temporary, like: self.attributes(of: path) ?? attributes)
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

    /// Replaces a file, or makes it, as ``replaceFile(at:like:with:)`` does.
    package func replaceFile(
        at path: FilePath, like attributes: FileAttributes? = nil, with content: [UInt8]
    ) throws {
        try replaceFile(at: path, like: attributes) { try $0.write(content) }
    }

    /// Removes what replacements that did not come to their end have left in a directory.
    ///
    /// Only who holds the document's lock may do this.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - isOwn: Whether a name is one of a file that was to be replaced; other leftovers stay.
    /// - Returns: What looks like a leftover and stays, and why where it was to be removed.
    /// - Throws: ``FileSystemError``, where the directory cannot be listed.
    @discardableResult
    package func removeTemporaries(
        in directory: FilePath, of isOwn: (String) -> Bool = { _ in true }
    ) throws(FileSystemError) -> [(path: FilePath, failure: FileSystemError?)] {
        var left: [(path: FilePath, failure: FileSystemError?)] = []
        for name in try list(directory) where FilePath(name).isTemporary {
            let path = directory.appending(name)
            do {
                guard let replaced = path.replaced, isOwn(replaced) else {
                    left.append((path, nil))
                    continue
                }
                try remove(path)
            } catch {
                left.append((path, error))
            }
        }
        return left
    }

    /// Makes a directory that outlasts a crash, unless there is one.
    package func ensureDirectory(
        at path: FilePath, like attributes: FileAttributes? = nil
    ) throws(FileSystemError) {
        guard try status(of: path)?.isDirectory != true else { return }
        try makeDirectory(at: path, like: attributes)
        try synchronizeDirectory(path.parent)
    }

    /// Whether there is a file or directory at a path.
    package func exists(_ path: FilePath) throws(FileSystemError) -> Bool {
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
    package var isTemporary: Bool {
        name.hasPrefix(".") && name.hasSuffix(Self.temporaryExtension)
    }

    /// The name of the file whose content a temporary one was to replace; `nil` where no replacement has
    /// made it.
    package var replaced: String? {
        let parts = name.utf8.dropFirst().dropLast(Self.temporaryExtension.utf8.count)
        guard isTemporary, let point = parts.lastIndex(of: UInt8(ascii: ".")),
            let number = UInt64(String(Substring(parts[point...].dropFirst())), radix: 36),
            let replaced = String(parts[..<point]),
            // Other spellings of the number are not ours.
            name == ".\(replaced).\(String(number, radix: 36))\(Self.temporaryExtension)"
        else { return nil }
        return replaced
    }
}
