import Foundation

/// An open file of the machine.
package final class DiskFile: WritableFile, ReadableFile, SeekableFile {
    package let path: FilePath

    /// The file's number in this process; -1, which the system knows as no file, once it is closed.
    package private(set) var descriptor: Int32

    /// How many of the last bytes the system has not been asked to store.
    private var waitingCount = 0

    /// A file that `open` opens, or a directory.
    ///
    /// - Throws: Inside a folder ``FileSystemError/unexpected(path:found:)`` for what is of another kind: a
    ///   link, a file that has several names, a pipe.
    init(
        _ location: FileLocation, _ path: FilePath, _ operation: FileSystemError.Operation,
        expecting kinds: Set<FileSystemError.FileKind> = [.file], _ open: (FileLocation) -> Int32
    ) throws(FileSystemError) {
        self.path = path
        do {
            descriptor = try FileSystemError.check(operation, path) { open(location) }
        } catch {
            // The number of the error says little of what is in the way.
            if location.isInside, let found = Platform.status(location)?.kind,
                !kinds.contains(found)
            {
                throw .unexpected(path: path.description, found: found)
            }
            throw error
        }
        guard location.isInside else { return }
        guard let found = Platform.status(descriptor)?.kind else {
            throw .failed(.status, path: path.description, code: Platform.errorNumber)
        }
        guard kinds.contains(found) else { throw .unexpected(path: path.description, found: found) }
    }

    /// A file of the caller's, for reading from its beginning on.
    package convenience init(reading path: FilePath) throws(FileSystemError) {
        try self.init(FileLocation(name: path.description), path, .open) {
            Platform.openForReading($0)
        }
    }

    deinit {
        if descriptor >= 0 {
            _ = Platform.closeFile(descriptor)
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // NB: Darwin refuses to write more than 2 GB at a time.
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            let count = Platform.writeBytes(descriptor, part)
            if count > 0 {
                rest = rest.dropFirst(count)
                storeEarly(count)
            } else if count < 0 {
                try FileSystemError.throwUnlessInterrupted(.write, path)
            } else {
                let code = POSIXError.Code.EIO.rawValue
                throw .failed(.write, path: path.description, code: code)
            }
        }
    }

    /// Has a large file stored while more of it is made, so that synchronizing it has little left to wait
    /// for.
    private func storeEarly(_ count: Int) {
        waitingCount += count
        guard waitingCount >= 8 << 20 else { return }
        Platform.beginSynchronizing(descriptor, last: waitingCount)
        waitingCount = 0
    }

    package func synchronize() throws(FileSystemError) {
        try FileSystemError.check(.synchronize, path) { Platform.synchronize(descriptor) }
        // NB: what is stored already would only leave memory.
        waitingCount = 0
    }

    package func truncate(to size: Int) throws(FileSystemError) {
        try FileSystemError.check(.truncate, path) { Platform.truncate(descriptor, to: size) }
        // What is written next follows, however far the file was read before.
        try FileSystemError.check(.truncate, path) { Platform.move(descriptor, to: size) }
        waitingCount = 0
    }

    /// Closes the file.
    ///
    /// It is closed even if this fails, and must not be closed again, since its number may be another
    /// file's by then.
    package func close() throws(FileSystemError) {
        let result = Platform.closeFile(descriptor)
        let code = Platform.errorNumber
        descriptor = -1
        if result < 0, POSIXError.Code(rawValue: code) != .EINTR {
            throw .failed(.close, path: path.description, code: code)
        }
    }

    /// Gives up the file without closing it, which is the caller's part from now on.
    package func relinquish() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    /// All that the file holds from here on.
    package func readAll() throws(FileSystemError) -> [UInt8] {
        try read(upTo: .max)
    }

    package var size: Int? { Platform.size(descriptor) }

    package var version: FileVersion? { Platform.status(descriptor).map(FileVersion.init) }

    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try FileSystemError.check(.read, path) { Platform.move(descriptor, to: offset) }
        return try readPart(count)
    }

    /// What the file holds from here on, at most so many bytes.
    ///
    /// - Throws: Also where that is more than the memory of the machine.
    package func read(upTo limit: Int) throws(FileSystemError) -> [UInt8] {
        guard let size else {
            throw .failed(.status, path: path.description, code: Platform.errorNumber)
        }
        var content = try readPart(try checked(min(size, max(0, limit))))
        // It may have grown meanwhile, or be one of those that do not tell their size.
        while content.count < limit {
            let more = try readPart(min(1 << 16, limit - content.count))
            if more.isEmpty { break }
            content += more
            _ = try checked(content.count)
        }
        return content
    }

    private func checked(_ count: Int) throws(FileSystemError) -> Int {
        guard count < Platform.memorySize else {
            throw .failed(
                .read, path: path.description, code: POSIXError.Code.EFBIG.rawValue)
        }
        return count
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileSystemError) -> Int {
        var count = 0
        while count < buffer.count {
            // NB: Darwin refuses to read more than 2 GB at a time.
            let added = Platform.readBytes(
                descriptor,
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...].prefix(1 << 30)))
            if added < 0 {
                try FileSystemError.throwUnlessInterrupted(.read, path)
            } else if added == 0 {
                break
            } else {
                count += added
            }
        }
        return count
    }

    /// What comes next, up to the end of the file or so many bytes.
    private func readPart(_ capacity: Int) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        // Zeros would take as long to write as the bytes to read.
        let part = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            do throws(FileSystemError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return part
    }
}
