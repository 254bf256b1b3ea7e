package import Foundation

/// The file system of the machine, or a folder in it.
package struct DiskFileSystem: FileSystem {
    /// The folder of all paths; `nil` for the caller's own paths, whose links are followed.
    package private(set) var folder: DiskFolder?

    package init() {}

    private init(in folder: DiskFolder) { self.folder = folder }

    package func inside(_ path: FilePath) throws(FileSystemError) -> any FileSystem {
        DiskFileSystem(in: try DiskFolder(path))
    }

    /// Calls `body` with the location that a path leads to.
    ///
    /// Inside a folder, no part of the path may be a link: each directory is opened from the one
    /// before.
    func at<Result>(
        _ path: FilePath, _ operation: FileSystemError.Operation,
        _ body: (FileLocation) throws(FileSystemError) -> Result
    ) throws(FileSystemError) -> Result {
        try path.check(operation)
        guard let folder else { return try body(FileLocation(name: path.description)) }
        guard var names = folder.names(to: path) else {
            throw .failed(operation, path: path.description, code: POSIXError.Code.EXDEV.rawValue)
        }
        let last = names.popLast() ?? "."
        // NB: the descriptor stays open as long as the file is referenced.
        var (parent, parentPath) = (DiskFile?.none, folder.path)
        for name in names {
            parentPath = parentPath.appending(name)
            let location = FileLocation(
                directory: parent?.descriptor ?? folder.descriptor, name: name, isInside: true)
            do {
                parent = try DiskFile(
                    location, parentPath, operation, expecting: [.directory], Platform.openDirectory
                )
            } catch .failed(_, _, let code) {
                throw .failed(operation, path: path.description, code: code)
            }
        }
        let location = FileLocation(
            directory: parent?.descriptor ?? folder.descriptor, name: last, isInside: true)
        defer { withExtendedLifetime((parent, folder)) {} }
        return try body(location)
    }

    /// Opens a file or a directory.
    func opened(
        _ path: FilePath, _ operation: FileSystemError.Operation,
        expecting kinds: Set<FileSystemError.FileKind> = [.file],
        _ open: (FileLocation) -> Int32
    ) throws(FileSystemError) -> DiskFile {
        try at(path, operation) { location throws(FileSystemError) in
            try DiskFile(location, path, operation, expecting: kinds, open)
        }
    }

    private func openedDirectory(
        _ path: FilePath, _ operation: FileSystemError.Operation
    ) throws(FileSystemError) -> DiskFile {
        try opened(path, operation, expecting: [.directory], Platform.openDirectory)
    }

    package func makeDirectory(at path: FilePath, like attributes: FileAttributes?)
        throws(FileSystemError)
    {
        try at(path, .makeDirectory) { location throws(FileSystemError) in
            if location.isInside, let found = Platform.status(location)?.kind, found != .directory {
                throw .unexpected(path: path.description, found: found)
            }
            try FileSystemError.check(.makeDirectory, path) {
                Platform.makeDirectory(location, mode: attributes?.mode ?? 0o777)
            }
            guard let attributes else { return }
            let directory = try DiskFile(
                location, path, .makeDirectory, expecting: [.directory], Platform.openDirectory)
            attributes.apply(to: directory.descriptor)
        }
    }

    package func makeDirectory(at path: FilePath) throws(FileSystemError) {
        try makeDirectory(at: path, like: nil)
    }

    package func list(_ path: FilePath) throws(FileSystemError) -> [String] {
        let names = try names(in: path)
        return (names.names + names.spelled).sorted()
    }

    package func names(in path: FilePath) throws(FileSystemError) -> FolderNames {
        let directory = try openedDirectory(path, .list)
        guard let names = Platform.names(inDirectory: directory.relinquish()) else {
            throw .failed(.list, path: path.description, code: Platform.errorNumber)
        }
        return names
    }

    package func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        do {
            return try at(path, .status) { location throws(FileSystemError) in
                if let found = Platform.status(location) {
                    return FileStatus(found.kind, size: found.size)
                }
                throw .failed(.status, path: path.description, code: Platform.errorNumber)
            }
        } catch .failed(_, _, POSIXError.Code.ENOENT.rawValue) {
            return nil
        }
    }

    package func identity(of path: FilePath) -> FileIdentity? {
        try? at(path, .status) { Platform.status($0)?.identity }
    }

    package func version(of path: FilePath) -> FileVersion? {
        try? at(path, .status) { Platform.status($0).map(FileVersion.init) }
    }

    package func watch(
        _ folder: FilePath, file: FilePath?, onChange: @escaping @Sendable () -> Void
    ) throws(FileSystemError) -> FileWatch? {
        try FileWatch(folder, file: file, in: self, onChange: onChange)
    }

    package func attributes(of path: FilePath) -> FileAttributes? {
        try? at(path, .status) { location throws(FileSystemError) in
            guard let status = Platform.status(location) else { return nil }
            let file: DiskFile?
            switch status.kind {
            case .file, .linkedFile:
                file = try? DiskFile(location, path, .open, Platform.openForReading)
            case .directory: file = try? openedDirectory(path, .open)
            // Nothing else is opened only for its attributes: it may be a pipe to which nobody
            // writes.
            default: return nil
            }
            // A process that may not read the file may still see who owns it.
            return file.flatMap { FileAttributes(of: $0.descriptor) } ?? FileAttributes(status)
        }
    }

    package func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] {
        try file(path).readAll()
    }

    package func read(_ path: FilePath, prefix count: Int) throws(FileSystemError) -> [UInt8] {
        try file(path).read(upTo: count)
    }

    package func openForReading(_ path: FilePath) throws(FileSystemError) -> any ReadableFile {
        try file(path)
    }

    package func openForSeeking(_ path: FilePath) throws(FileSystemError) -> any SeekableFile {
        // Backups and sorted collections give photos several names.
        try opened(path, .open, expecting: [.file, .linkedFile], Platform.openForReading)
    }

    private func file(_ path: FilePath) throws(FileSystemError) -> DiskFile {
        try opened(path, .open, Platform.openForReading)
    }

    package func lastUse(of path: FilePath) -> Date? {
        try? at(path, .status) { Platform.status($0)?.modificationTime }
            .map { Date(timeIntervalSince1970: $0) }
    }

    package func noteUse(of path: FilePath, at date: Date) {
        _ = try? at(path, .status) {
            Platform.setModificationTime($0, to: date.timeIntervalSince1970)
        }
    }

    package func open(
        _ path: FilePath, mode: FileMode
    ) throws(FileSystemError) -> any WritableFile {
        switch mode {
        case .createNew: try create(path, like: nil)
        case .append: try opened(path, .open, Platform.openForAppending)
        }
    }

    package func create(
        _ path: FilePath, like attributes: FileAttributes?
    ) throws(FileSystemError) -> any WritableFile {
        let file = try opened(path, .create) {
            Platform.createNew($0, mode: attributes?.mode ?? 0o666)
        }
        attributes?.apply(to: file.descriptor)
        return file
    }

    package func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) {
        try at(old, .rename) { old throws(FileSystemError) in
            try at(new, .rename) { location throws(FileSystemError) in
                if let found = Platform.status(location) {
                    try location.checkIsOwn(found.kind, new)
                }
                try FileSystemError.check(.rename, new) { Platform.renameFile(old, location) }
            }
        }
    }

    package func remove(_ path: FilePath) throws(FileSystemError) {
        try at(path, .remove) { location throws(FileSystemError) in
            if let found = Platform.status(location) { try location.checkIsOwn(found.kind, path) }
            try FileSystemError.check(.remove, path) { Platform.removeFile(location) }
        }
    }

    package func removeDirectory(at path: FilePath) throws(FileSystemError) {
        try at(path, .remove) { location throws(FileSystemError) in
            _ = try FileSystemError.check(.remove, path) { Platform.removeDirectory(location) }
        }
    }

    package func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        let directory = try openedDirectory(path, .open)
        do {
            try directory.synchronize()
        } catch .failed(_, _, let code)
            where Platform.isUnsupported(code) || POSIXError.Code(rawValue: code) == .EINVAL
        {
            // NB: some network volumes do not offer this operation for directories.
        }
        try directory.close()
    }
}

extension FileLocation {
    /// Throws if this is not PlacesKit's own: inside a folder it makes only files with one name.
    fileprivate func checkIsOwn(
        _ kind: FileSystemError.FileKind, _ path: FilePath
    ) throws(FileSystemError) {
        guard !isInside || kind == .file else {
            throw .unexpected(path: path.description, found: kind)
        }
    }
}
