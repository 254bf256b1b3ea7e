#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system calls that files need.
///
/// What platforms do not have in common lies in a file of each one's own. Results are those of POSIX:
/// negative on failure, with the reason in `errorNumber`.
@usableFromInline
package enum Platform {
    static var errorNumber: Int32 { errno }

    package static func errorText(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Whether an error number says that a volume lacks an operation.
    static func isUnsupported(_ code: Int32) -> Bool {
        code == ENOTSUP || code == EOPNOTSUPP
    }

    /// Lets the heap of this thread grow by more than it needs at once, before many small things are made.
    ///
    /// NB: glibc grows the heap of any thread but the first by a page at a time, which is a call to the system
    /// for every few texts. What is taken from its end and given back stays with it, up to 128 kB.
    package static func growHeap() {
        UnsafeMutableRawPointer.allocate(byteCount: 120 << 10, alignment: 16).deallocate()
    }

    static var processID: Int32 { getpid() }

    /// Opens a file for reading; inside a folder without waiting for whoever writes a pipe.
    static func openForReading(_ location: FileLocation) -> Int32 {
        openat(location.directory, location.name, O_RDONLY | O_CLOEXEC | flags(location))
    }

    static func openDirectory(_ location: FileLocation) -> Int32 {
        openat(
            location.directory, location.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags(location))
    }

    /// Makes a file with these permissions, less those that the process gives to no file.
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

    private static func flags(_ location: FileLocation) -> Int32 {
        location.isInside ? O_NOFOLLOW | O_NONBLOCK : 0
    }

    static func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        read(file, buffer.baseAddress, buffer.count)
    }

    static func writeBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        write(file, bytes.baseAddress, bytes.count)
    }

    static func truncate(_ file: Int32, to size: Int) -> Int32 {
        ftruncate(file, off_t(size))
    }

    /// Lets what is read or written next begin at a byte.
    static func move(_ file: Int32, to offset: Int) -> Int32 {
        lseek(file, off_t(offset), SEEK_SET) < 0 ? -1 : 0
    }

    static func closeFile(_ file: Int32) -> Int32 {
        close(file)
    }

    /// Takes the exclusive lock of an open file, or fails at once.
    static func lockExclusively(_ file: Int32) -> Int32 {
        flock(file, LOCK_EX | LOCK_NB)
    }

    /// Gives up the lock of an open file, for all descriptors that lead to it.
    static func unlock(_ file: Int32) -> Int32 { flock(file, LOCK_UN) }

    static func renameFile(_ old: FileLocation, _ new: FileLocation) -> Int32 {
        renameat(old.directory, old.name, new.directory, new.name)
    }

    static func removeFile(_ location: FileLocation) -> Int32 {
        unlinkat(location.directory, location.name, 0)
    }

    /// Makes a directory with these permissions, less those that the process gives to none.
    static func makeDirectory(_ location: FileLocation, mode: UInt32) -> Int32 {
        mkdirat(location.directory, location.name, mode_t(mode))
    }

    /// What lies at a location; inside a folder a link itself.
    static func status(_ location: FileLocation) -> PlatformStatus? {
        var status = stat()
        let flags = location.isInside ? AT_SYMLINK_NOFOLLOW : 0
        guard fstatat(location.directory, location.name, &status, flags) == 0 else { return nil }
        return PlatformStatus(status)
    }

    /// What an open file is.
    static func status(_ file: Int32) -> PlatformStatus? {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        return PlatformStatus(status)
    }

    /// Makes a time, in seconds since 1970, that at which a file was changed last.
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

    /// Gives an open file to another owner and group.
    static func setOwner(_ file: Int32, _ owner: UInt32, _ group: UInt32) -> Int32 {
        fchown(file, owner, group)
    }

    /// Makes the permissions of an open file these.
    static func setMode(_ file: Int32, _ mode: UInt32) -> Int32 {
        fchmod(file, mode_t(mode))
    }

    /// Stops this thread for a moment.
    static func pause(milliseconds: UInt32) {
        usleep(milliseconds * 1_000)
    }

    /// How many bytes of memory the machine has; no limit where it does not tell.
    package static let memorySize: Int = {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        return pages > 0 && size > 0 ? pages * size : .max
    }()

    /// The size of an open file.
    static func size(_ file: Int32) -> Int? { status(file)?.size }

    /// The names in a directory, without "." and "..", in no order.
    ///
    /// - Parameter directory: An open directory, which is closed.
    /// - Returns: The names, or `nil` where the directory cannot be read.
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

    /// A name that is no text, with every byte that is no letter of ASCII as in `\xFF`.
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

/// Where a file is: a name in a directory that is open.
struct FileLocation {
    var directory = AT_FDCWD
    var name: String
    /// Whether the name is one in a folder whose links are not followed, and not a path of the caller's.
    var isInside = false
}

/// What the system tells of a file.
struct PlatformStatus {
    let kind: FileSystemError.FileKind
    let size: Int
    let identity: FileIdentity
    let mode: UInt32
    let owner: UInt32
    let group: UInt32
    /// When it was changed last, in whole seconds since 1970 and nanoseconds.
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
        size = Int(status.st_size)
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            number: UInt64(truncatingIfNeeded: status.st_ino))
        mode = UInt32(status.st_mode) & 0o777
        (owner, group) = (status.st_uid, status.st_gid)
        let time = Platform.modificationTime(status)
        (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }

    /// When it was changed last, in seconds since 1970.
    var modificationTime: Double { Double(seconds) + Double(nanoseconds) / 1e9 }
}
