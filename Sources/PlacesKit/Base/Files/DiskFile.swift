import Foundation

/// An open file on disk.
package final class DiskFile: WritableFile, ReadableFile, SeekableFile {
    package let path: FilePath

    /// The file descriptor; -1, which is never valid, once the file is closed.
    package private(set) var descriptor: Int32

    /// How many of the last bytes the system has not yet been asked to store.
    private var waitingCount = 0

    /// Opens a file or a directory with `open`.
    ///
    /// - Throws: ``FileSystemError/unexpected(path:found:)`` if the location is inside a folder and
    ///   holds something of another kind: a link, a file with several names, a pipe.
    init(
        _ location: FileLocation, _ path: FilePath, _ operation: FileSystemError.Operation,
        expecting kinds: Set<FileSystemError.FileKind> = [.file], _ open: (FileLocation) -> Int32
    ) throws(FileSystemError) {
        self.path = path
        do {
            descriptor = try FileSystemError.check(operation, path) { open(location) }
        } catch {
            // The error number says little about what is in the way.
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

    /// Opens a file at a path of the caller's, to read it from its beginning.
    package convenience init(reading path: FilePath) throws(FileSystemError) {
        try path.check(.open)
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

    /// Asks the system to store a file while it is written, so that `synchronize` waits less.
    private func storeEarly(_ count: Int) {
        waitingCount += count
        guard waitingCount >= 8 << 20 else { return }
        Platform.beginSynchronizing(descriptor, last: waitingCount)
        waitingCount = 0
    }

    package func synchronize() throws(FileSystemError) {
        try FileSystemError.check(.synchronize, path) { Platform.synchronize(descriptor) }
        // NB: to store these bytes again would only remove them from memory.
        waitingCount = 0
    }

    package func truncate(to size: Int) throws(FileSystemError) {
        try FileSystemError.check(.truncate, path) { Platform.truncate(descriptor, to: size) }
        // The next write continues here, however far the file was read before.
        try FileSystemError.check(.truncate, path) { Platform.move(descriptor, to: size) }
        waitingCount = 0
    }

    /// Closes the file.
    ///
    /// The file is closed even if this throws. It must not be closed again, since another file may
    /// have its descriptor by then.
    package func close() throws(FileSystemError) {
        let result = Platform.closeFile(descriptor)
        let code = Platform.errorNumber
        descriptor = -1
        if result < 0, POSIXError.Code(rawValue: code) != .EINTR {
            throw .failed(.close, path: path.description, code: code)
        }
    }

    /// Gives up the file without closing it; the caller has to close the descriptor.
    package func relinquish() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    /// Reads the rest of the file.
    package func readAll() throws(FileSystemError) -> [UInt8] {
        try read(upTo: .max)
    }

    package var size: Int? { Platform.size(descriptor) }

    package var version: FileVersion? { Platform.status(descriptor).map(FileVersion.init) }

    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try FileSystemError.check(.read, path) { Platform.move(descriptor, to: offset) }
        return try readPart(count)
    }

    /// Reads the rest of the file, at most `limit` bytes.
    ///
    /// - Throws: ``FileSystemError``, also if the bytes do not fit into the machine's memory.
    package func read(upTo limit: Int) throws(FileSystemError) -> [UInt8] {
        guard let size else {
            throw .failed(.status, path: path.description, code: Platform.errorNumber)
        }
        var content = try readPart(try checked(min(size, max(0, limit))))
        // The file may have grown meanwhile, or be one whose size the system does not know.
        while content.count < limit {
            let more = try readPart(min(1 << 16, limit - content.count))
            if more.isEmpty { break }
            content += more
            _ = try checked(content.count)
        }
        return content
    }

    /// Reads what is there, up to so many bytes; none at the end.
    func readSome(upTo limit: Int) throws(FileSystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        while true {
            let count = bytes.withUnsafeMutableBytes { Platform.readBytes(descriptor, $0) }
            if count >= 0 { return Array(bytes.prefix(count)) }
            try FileSystemError.throwUnlessInterrupted(.read, path)
        }
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

    /// Reads on, up to `capacity` bytes or the end of the file.
    private func readPart(_ capacity: Int) throws(FileSystemError) -> [UInt8] {
        var failure: FileSystemError?
        // Filling the array with zeros would take as long as reading.
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
