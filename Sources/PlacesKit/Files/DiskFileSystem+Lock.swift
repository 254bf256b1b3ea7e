import Foundation

extension DiskFileSystem {
    /// Locks with `flock`, which the system gives back when the process ends, however it ends.
    ///
    /// The file then holds the number of this process, for those who find it locked. It is never
    /// removed: a third party might have opened it already, and would lock a file that nobody sees.
    func lock(at path: FilePath) throws(FileSystemError) -> FileLock {
        let file = try DiskFile(path, .lock) {
            Platform.openForReadingAndWriting(path.description)
        }
        do {
            try FileSystemError.check(.lock, path) {
                Platform.lockExclusively(file.descriptor)
            }
        } catch .failed(_, _, let code) where POSIXError.Code(rawValue: code) == .EAGAIN {
            throw .locked(path: path.description, holder: Self.holder(in: file))
        }
        // The number is a courtesy: a full volume keeps nobody from opening the document.
        try? file.truncate(to: 0)
        try? file.write(Array("\(Platform.processID)\n".utf8))
        let descriptor = file.relinquish()
        return FileLock {
            _ = Platform.truncate(descriptor, to: 0)
            _ = Platform.closeFile(descriptor)
        }
    }

    /// The process that a lock file names; none if it has been locked this instant.
    private static func holder(in file: DiskFile) -> Int32? {
        guard let content = try? file.readAll() else { return nil }
        return Int32(String(decoding: content, as: UTF8.self).prefix { $0 != "\n" })
    }
}
