import Foundation

extension FileSystem {
    /// Creates or replaces a file; even a crash leaves either the old content or the new one.
    ///
    /// Once this returns, a crash can no longer lose the new content. PlacesKit writes the content
    /// to a temporary file beside the file first. If the process dies, the temporary file stays
    /// behind; ``removeTemporaries(in:)`` removes it.
    ///
    /// - Parameters:
    ///   - path: The file. If it is a symbolic link, the link itself is replaced.
    ///   - attributes: The permissions, owner and extended attributes of the file if there is none
    ///     to take them from; without it the file has those of any new file.
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

    /// Creates or replaces a file, as ``replaceFile(at:like:with:)`` does.
    package func replaceFile(
        at path: FilePath, like attributes: FileAttributes? = nil, with content: [UInt8]
    ) throws {
        try replaceFile(at: path, like: attributes) { try $0.write(content) }
    }

    /// Removes the temporary files of unfinished replacements from a directory.
    ///
    /// The caller must hold the document's lock.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - isOwn: Whether PlacesKit replaces files with this name; temporary files for other names
    ///     stay.
    /// - Returns: The temporary files that stay; a failure says why one that should go could not be
    ///   removed.
    /// - Throws: ``FileSystemError`` if the directory cannot be listed.
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

    /// Creates a directory that survives a crash, unless it exists; returns whether it was this that created it.
    @discardableResult
    package func ensureDirectory(
        at path: FilePath, like attributes: FileAttributes? = nil
    ) throws(FileSystemError) -> Bool {
        guard try status(of: path)?.isDirectory != true else { return false }
        var isOurs = true
        do {
            try makeDirectory(at: path, like: attributes)
        } catch {
            // Somebody else may have created it since.
            guard case .failed(_, _, POSIXError.Code.EEXIST.rawValue) = error,
                try status(of: path)?.isDirectory == true
            else { throw error }
            isOurs = false
        }
        try synchronizeDirectory(path.parent)
        return isOurs
    }

    /// Whether a file or directory exists at a path.
    package func exists(_ path: FilePath) throws(FileSystemError) -> Bool {
        try status(of: path) != nil
    }
}

extension FilePath {
    private static let temporaryExtension = ".tmp"
    /// How many bytes of a file's name its temporary file has: with what is added it would become longer than names may be.
    ///
    /// Only a document has to know what its temporary files were to replace, and its names are shorter.
    private static let temporaryLimit = 100

    /// A new name for a temporary file in the same directory.
    fileprivate var temporary: FilePath {
        let number = String(UInt64.random(in: 0 ... .max), radix: 36)
        let start = String(decoding: name.utf8.prefix(Self.temporaryLimit), as: UTF8.self)
        return parent.appending(".\(start).\(number)\(Self.temporaryExtension)")
    }

    /// Whether this looks like the temporary file of a replacement.
    package var isTemporary: Bool {
        name.utf8.first == UInt8(ascii: ".") && name.hasSuffix(Self.temporaryExtension)
    }

    /// The name of the file that this one was to replace; `nil` if PlacesKit did not make it.
    package var replaced: String? {
        let parts = name.utf8.dropFirst().dropLast(Self.temporaryExtension.utf8.count)
        guard isTemporary, let point = parts.lastIndex(of: UInt8(ascii: ".")),
            let number = UInt64(String(Substring(parts[point...].dropFirst())), radix: 36),
            let replaced = String(parts[..<point]),
            // PlacesKit does not spell the number in any other way.
            name == ".\(replaced).\(String(number, radix: 36))\(Self.temporaryExtension)"
        else { return nil }
        return replaced
    }
}
