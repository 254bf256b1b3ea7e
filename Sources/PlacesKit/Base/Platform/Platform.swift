#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system calls that files need.
///
/// Calls that differ between platforms lie in one file for each platform. Results are those of
/// POSIX: negative on failure, with the reason in `errorNumber`.
@usableFromInline
package enum Platform {
    static var errorNumber: Int32 { errno }

    package static func errorText(_ code: Int32) -> String {
        let text: UnsafeMutablePointer<CChar>? = strerror(code)
        return text.map { String(cString: $0) } ?? "error \(code)"
    }

    /// Whether an error number says that a volume does not support an operation.
    static func isUnsupported(_ code: Int32) -> Bool {
        code == ENOTSUP || code == EOPNOTSUPP
    }

    /// Enlarges the heap of this thread at once, before many small allocations.
    ///
    /// NB: In every thread but the first, glibc enlarges the heap page by page, which is a system
    /// call for every few texts. Up to 128 kB that were allocated at the heap's end stay in the
    /// heap when they are freed.
    package static func growHeap() {
        UnsafeMutableRawPointer.allocate(byteCount: 120 << 10, alignment: 16).deallocate()
    }

    static var processID: Int32 { getpid() }

    /// Opens a file for reading; inside a folder it does not wait for the writer of a pipe.
    static func openForReading(_ location: FileLocation) -> Int32 {
        openat(location.directory, location.name, O_RDONLY | O_CLOEXEC | flags(location))
    }

    /// Opens what is there for writing; a pipe only if somebody reads it, or waits for that.
    static func openForWritingAtOnce(_ location: FileLocation) -> Int32 {
        openat(
            location.directory, location.name,
            O_WRONLY | O_NONBLOCK | O_CLOEXEC | flags(location))
    }

    static func openDirectory(_ location: FileLocation) -> Int32 {
        openat(
            location.directory, location.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags(location))
    }

    /// Creates a file with these permissions, less those that the process's umask removes.
    static func createNew(_ location: FileLocation, mode: UInt32) -> Int32 {
        openat(
            location.directory, location.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode)
        )
    }

    static func openForAppending(_ location: FileLocation) -> Int32 {
        openat(
            location.directory, location.name,
            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags(location), 0o666)
    }

    static func openForReadingAndWriting(_ location: FileLocation, mode: UInt32) -> Int32 {
        openat(
            location.directory, location.name, O_RDWR | O_CREAT | O_CLOEXEC | flags(location),
            mode_t(mode))
    }

    /// What keeps a file inside a folder from being a link, and its opening from waiting for a pipe's other end.
    static func flags(_ location: FileLocation) -> Int32 {
        location.isInside ? O_NOFOLLOW | O_NONBLOCK : 0
    }

    static func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        read(file, buffer.baseAddress, buffer.count)
    }

    static func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        write(file, bytes.baseAddress, bytes.count)
    }

    /// Whether a file takes bytes, or refuses them, within some time.
    static func waitForRoom(_ file: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Whether a file has bytes, or has come to its end, within some time.
    static func waitForBytes(_ file: Int32, milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// How many bytes a pipe takes at once where it has room.
    static let writablePrefix = Int(PIPE_BUF)

    static func truncate(_ file: Int32, to size: Int) -> Int32 {
        ftruncate(file, off_t(size))
    }

    /// Moves the position for the next read or write.
    static func move(_ file: Int32, to offset: Int) -> Int32 {
        lseek(file, off_t(offset), SEEK_SET) < 0 ? -1 : 0
    }

    /// Another number for an open file, which programs that are started do not get.
    static func duplicate(_ file: Int32) -> Int32 {
        fcntl(file, F_DUPFD_CLOEXEC, 0)
    }

    static func closeFile(_ file: Int32) -> Int32 {
        close(file)
    }

    /// Takes the exclusive lock of an open file, or fails at once.
    static func lockExclusively(_ file: Int32) -> Int32 {
        flock(file, LOCK_EX | LOCK_NB)
    }

    /// Releases the lock of an open file, for all descriptors that share it.
    static func unlock(_ file: Int32) -> Int32 { flock(file, LOCK_UN) }

    static func renameFile(_ old: FileLocation, _ new: FileLocation) -> Int32 {
        renameat(old.directory, old.name, new.directory, new.name)
    }

    static func removeFile(_ location: FileLocation) -> Int32 {
        unlinkat(location.directory, location.name, 0)
    }

    /// Removes an empty directory.
    static func removeDirectory(_ location: FileLocation) -> Int32 {
        unlinkat(location.directory, location.name, AT_REMOVEDIR)
    }

    /// Creates a directory with these permissions, less those that the process's umask removes.
    static func makeDirectory(_ location: FileLocation, mode: UInt32) -> Int32 {
        mkdirat(location.directory, location.name, mode_t(mode))
    }

    /// The status of what lies at a location; of a link itself if the location is inside a folder.
    static func status(_ location: FileLocation) -> PlatformStatus? {
        var status = stat()
        let flags = location.isInside ? AT_SYMLINK_NOFOLLOW : 0
        guard fstatat(location.directory, location.name, &status, flags) == 0 else { return nil }
        return PlatformStatus(status)
    }

    /// The status of an open file.
    static func status(_ file: Int32) -> PlatformStatus? {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        return PlatformStatus(status)
    }

    /// Sets the date at which a file was last changed, in seconds since 1970.
    static func setModificationTime(_ location: FileLocation, to seconds: Double) -> Int32 {
        let whole = seconds.rounded(.down)
        guard let second = time_t(exactly: whole) else { return -1 }
        let time = timespec(tv_sec: second, tv_nsec: Int((seconds - whole) * 1e9))
        return withUnsafePointer(to: (time, time)) { times in
            times.withMemoryRebound(to: timespec.self, capacity: 2) {
                utimensat(
                    location.directory, location.name, $0,
                    location.isInside ? AT_SYMLINK_NOFOLLOW : 0)
            }
        }
    }

    /// Changes the owner and group of an open file.
    static func setOwner(_ file: Int32, _ owner: UInt32, _ group: UInt32) -> Int32 {
        fchown(file, owner, group)
    }

    /// Sets the permissions of an open file.
    static func setMode(_ file: Int32, _ mode: UInt32) -> Int32 {
        fchmod(file, mode_t(mode))
    }

    /// Pauses this thread.
    static func pause(milliseconds: UInt32) {
        usleep(milliseconds * 1_000)
    }

    /// The machine's memory in bytes; no limit if the system does not report it.
    package static let memorySize: Int = {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        guard pages > 0, size > 0 else { return .max }
        let (bytes, isTooLarge) = pages.multipliedReportingOverflow(by: size)
        return isTooLarge ? .max : bytes
    }()

    /// The size of an open file.
    static func size(_ file: Int32) -> Int? { status(file)?.size }

    /// The names in a directory, without "." and "..", in no order.
    ///
    /// - Parameter directory: An open directory, which this closes.
    /// - Returns: The names, or `nil` if the directory cannot be read.
    static func names(inDirectory directory: Int32) -> FolderNames? {
        guard let stream = fdopendir(directory) else {
            let code = errno
            close(directory)
            errno = code
            return nil
        }
        defer { closedir(stream) }
        var names = FolderNames()
        let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        errno = 0
        while let entry = readdir(stream) {
            let start = UnsafeRawPointer(entry).advanced(by: nameOffset)
            let bytes = UnsafeBufferPointer(
                start: start.assumingMemoryBound(to: UInt8.self),
                count: strlen(start.assumingMemoryBound(to: CChar.self)))
            if let name = String(validating: bytes, as: UTF8.self) {
                if name != ".", name != ".." { names.names.append(name) }
            } else {
                names.spelled.append(spelled(bytes))
            }
            errno = 0
        }
        return errno == 0 ? names : nil
    }

    /// Spells out a name that is not UTF-8: each byte except visible ASCII is written as in `\xFF`.
    private static func spelled(_ name: UnsafeBufferPointer<UInt8>) -> String {
        name.reduce(into: "") { text, byte in
            if byte > 0x20, byte < 0x7F {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

/// The location of a file: a name in an open directory.
struct FileLocation {
    var directory = AT_FDCWD
    var name: String
    /// Whether the name is in a folder whose links are not followed.
    ///
    /// Otherwise it is a path of the caller's.
    var isInside = false
}

/// The status of a file, as the system reports it.
struct PlatformStatus {
    let kind: FileSystemError.FileKind
    let size: Int
    let identity: FileIdentity
    let mode: UInt32
    let owner: UInt32
    let group: UInt32
    /// When the file was last changed, in whole seconds since 1970 and nanoseconds.
    let seconds: Int
    let nanoseconds: Int

    fileprivate init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: status.st_nlink > 1 ? .linkedFile : .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            default: .device
            }
        size = Int(clamping: status.st_size)
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino))
        mode = UInt32(status.st_mode) & 0o777
        (owner, group) = (status.st_uid, status.st_gid)
        let time = Platform.modificationTime(status)
        (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }

    /// When the file was last changed, in seconds since 1970.
    var modificationTime: Double { Double(seconds) + Double(nanoseconds) / 1e9 }
}
