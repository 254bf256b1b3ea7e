import Foundation

extension DiskFileSystem {
    /// Locks a file with `flock`; the system releases the lock when the process ends in any way.
    ///
    /// The file then holds the number of this process, for others who find it locked. The file is
    /// never removed: another process might have opened it already, and would then lock a file that
    /// nobody sees.
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
        // The number is a courtesy: a full volume must not keep anybody from opening the document.
        try? file.truncate(to: 0)
        try? file.write(Array("\(Platform.processID)\n".utf8))
        let identity = file.version?.identity
        let descriptor = file.relinquish()
        return FileLock(of: identity) {
            _ = Platform.truncate(descriptor, to: 0)
            // A child process that is just being started has the descriptor too, until it calls
            // `exec`.
            _ = Platform.unlock(descriptor)
            _ = Platform.closeFile(descriptor)
        }
    }

    /// The number of the process in a lock file; none if the process locked the file only just now.
    private static func holder(in file: DiskFile) -> Int32? {
        guard let content = try? file.read(upTo: LockContent.limit) else { return nil }
        return Int32(String(decoding: content, as: UTF8.self).prefix { $0 != "\n" })
    }

    package func lock(at path: FilePath) throws(FileSystemError) -> FileLock {
        try lock(at: path, like: nil)
    }
}

/// What a lock file holds: nothing, or the number of a process.
package enum LockContent {
    /// How many bytes of a file suffice to recognize a lock file.
    package static let limit = 64

    /// Whether some bytes look like a lock file's content; after a power failure they may be zeros.
    package static func isLike(_ bytes: [UInt8]) -> Bool {
        let number = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        return number.count < 20
            && (number.allSatisfy { $0 == 0 }
                || number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    }
}
