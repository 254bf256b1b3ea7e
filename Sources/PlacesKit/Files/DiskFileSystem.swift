import Foundation

/// The file system of the machine.
struct DiskFileSystem: FileSystem {
    func makeDirectory(at path: FilePath) throws(FileSystemError) {
        try FileSystemError.check(.makeDirectory, path) { Platform.makeDirectory(path.description) }
    }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] {
        guard let names = Platform.names(inDirectory: path.description) else {
            throw .failed(.list, path: path.description, code: Platform.errorNumber)
        }
        return names.sorted()
    }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        if let (isDirectory, size) = Platform.status(path.description) {
            return FileStatus(isDirectory: isDirectory, size: size)
        }
        let code = Platform.errorNumber
        guard POSIXError.Code(rawValue: code) == .ENOENT else {
            throw .failed(.status, path: path.description, code: code)
        }
        return nil
    }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] {
        try DiskFile(reading: path).readAll()
    }

    func read(_ path: FilePath, prefix count: Int) throws(FileSystemError) -> [UInt8] {
        try DiskFile(reading: path).read(upTo: count)
    }

    func openForReading(_ path: FilePath) throws(FileSystemError) -> any ReadableFile {
        try DiskFile(reading: path)
    }

    func lastUse(of path: FilePath) -> Date? {
        Platform.modificationTime(path.description).map { Date(timeIntervalSince1970: $0) }
    }

    func noteUse(of path: FilePath, at date: Date) {
        _ = Platform.setModificationTime(path.description, to: date.timeIntervalSince1970)
    }

    func isOrdinary(_ path: FilePath) -> Bool {
        Platform.isOrdinary(path.description)
    }

    func open(
        _ path: FilePath, mode: FileMode
    ) throws(FileSystemError) -> any WritableFile {
        switch mode {
        case .createNew:
            try DiskFile(path, .create) { Platform.createNew(path.description) }
        case .append:
            try DiskFile(path, .open) { Platform.openForAppending(path.description) }
        }
    }

    func rename(_ old: FilePath, to new: FilePath) throws(FileSystemError) {
        try FileSystemError.check(.rename, new) {
            Platform.renameFile(old.description, new.description)
        }
    }

    func remove(_ path: FilePath) throws(FileSystemError) {
        try FileSystemError.check(.remove, path) { Platform.removeFile(path.description) }
    }

    func synchronizeDirectory(_ path: FilePath) throws(FileSystemError) {
        let directory = try DiskFile(path, .open) { Platform.openDirectory(path.description) }
        do {
            try directory.synchronize()
        } catch .failed(_, _, let code)
            where Platform.isUnsupported(code) || POSIXError.Code(rawValue: code) == .EINVAL
        {
            // NB: some network volumes know no such operation for directories.
        }
        try directory.close()
    }
}
