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
enum Platform {
    static var errorNumber: Int32 { errno }

    static func errorText(_ code: Int32) -> String {
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
    static func growHeap() {
        UnsafeMutableRawPointer.allocate(byteCount: 120 << 10, alignment: 16).deallocate()
    }

    static var processID: Int32 { getpid() }

    static func openForReading(_ path: String) -> Int32 {
        open(path, O_RDONLY | O_CLOEXEC)
    }

    static func openDirectory(_ path: String) -> Int32 {
        open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    static func createNew(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }

    static func openForAppending(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    }

    static func openForReadingAndWriting(_ path: String) -> Int32 {
        open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
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

    static func closeFile(_ file: Int32) -> Int32 {
        close(file)
    }

    /// Takes the exclusive lock of an open file, or fails at once.
    static func lockExclusively(_ file: Int32) -> Int32 {
        flock(file, LOCK_EX | LOCK_NB)
    }

    static func renameFile(_ old: String, _ new: String) -> Int32 {
        rename(old, new)
    }

    static func removeFile(_ path: String) -> Int32 {
        unlink(path)
    }

    static func makeDirectory(_ path: String) -> Int32 {
        mkdir(path, 0o777)
    }

    /// The size of what lies at a path, and whether it is a directory.
    static func status(_ path: String) -> (isDirectory: Bool, size: Int)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (status.st_mode & S_IFMT == S_IFDIR, Int(status.st_size))
    }

    /// When a file was changed last, in seconds since 1970.
    static func modificationTime(_ path: String) -> Double? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let time = modificationTime(status)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Makes a time, in seconds since 1970, that at which a file was changed last.
    static func setModificationTime(_ path: String, to seconds: Double) -> Int32 {
        let whole = seconds.rounded(.down)
        guard let second = time_t(exactly: whole) else { return -1 }
        let time = timespec(tv_sec: second, tv_nsec: Int((seconds - whole) * 1e9))
        return withUnsafePointer(to: (time, time)) { times in
            times.withMemoryRebound(to: timespec.self, capacity: 2) {
                utimensat(AT_FDCWD, path, $0, 0)
            }
        }
    }

    /// Whether a path names a file or directory itself, and no link, pipe or device.
    static func isOrdinary(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Stops this thread for a moment.
    static func pause(milliseconds: UInt32) {
        usleep(milliseconds * 1_000)
    }

    /// The size of an open file.
    static func size(_ file: Int32) -> Int? {
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        return Int(status.st_size)
    }

    /// The names in a directory, without "." and "..", in no order.
    static func names(inDirectory path: String) -> [String]? {
        guard let stream = opendir(path) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        errno = 0
        while let entry = readdir(stream) {
            let start = UnsafeRawPointer(entry).advanced(by: nameOffset)
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." {
                names.append(name)
            }
            errno = 0
        }
        return errno == 0 ? names : nil
    }
}
