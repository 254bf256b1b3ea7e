import Foundation

extension DiskFileSystem {
    /// Locks with `flock`, which the system gives back when the process ends, however it ends.
    ///
    /// The file then holds the number of this process, for those who find it locked. It is never
    /// removed: a third party might have opened it already, and would lock a file that nobody sees.
    package func lock(
        at path: FilePath, like attributes: FileAttributes?
    ) throws(FileSystemError) -> FileLock {
        let file = try opened(path, .lock) {
            Platform.openForReadingAndWriting($0, mode: attributes?.mode ?? 0o666)
        }
        do {
            try FileSystemError.check(.lock, path) {
                Platform.lockExclusively(file.descriptor)
            }
        } catch .failed(_, _, let code) where POSIXError.Code(rawValue: code) == .EAGAIN {
            throw .locked(path: path.description, holder: Self.holder(in: file))
        }
        if folder != nil {
            let content = try file.read(upTo: LockContent.limit)
            guard LockContent.isLike(content) else {
                throw .unexpected(path: path.description, found: .foreign)
            }
        }
        // The number is a courtesy: a full volume keeps nobody from opening the document.
        try? file.truncate(to: 0)
        try? file.write(Array("\(Platform.processID)\n".utf8))
        let descriptor = file.relinquish()
        return FileLock {
            _ = Platform.truncate(descriptor, to: 0)
            // A program that is just being started has the descriptor too, until it begins.
            _ = Platform.unlock(descriptor)
            _ = Platform.closeFile(descriptor)
        }
    }

    /// The process that a lock file names; none if it has been locked this instant.
    private static func holder(in file: DiskFile) -> Int32? {
        guard let content = try? file.read(upTo: LockContent.limit) else { return nil }
        return Int32(String(decoding: content, as: UTF8.self).prefix { $0 != "\n" })
    }

    package func lock(at path: FilePath) throws(FileSystemError) -> FileLock {
        try lock(at: path, like: nil)
    }
}

/// What a lock holds: nothing, or the number of a process.
package enum LockContent {
    /// How many bytes are enough to tell.
    package static let limit = 64

    /// Whether some bytes are the content of a lock; that of a process that lost its power may be zeros.
    package static func isLike(_ bytes: [UInt8]) -> Bool {
        let number = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        return number.count < 20
            && (number.allSatisfy { $0 == 0 }
                || number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    }
}
