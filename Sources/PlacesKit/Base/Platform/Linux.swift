#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
    extension Platform {
        /// Returns when the file's content has reached the storage itself.
        static func synchronize(_ file: Int32) -> Int32 {
            // The size counts as content; only the dates are left out.
            fdatasync(file)
        }

        /// Asks the system to start storing the file's last bytes, as it would sooner or later.
        ///
        /// POSIX expresses this as advice that the bytes are not needed soon.
        static func beginSynchronizing(_ file: Int32, last count: Int) {
            guard let size = size(file) else { return }
            _ = posix_fadvise(file, off_t(size - count), off_t(count), POSIX_FADV_DONTNEED)
        }

        /// Opens a folder to be told of its changes.
        static func openForWatching(_ location: FileLocation) -> Int32 {
            openDirectory(location)
        }

        /// Calls what writes to a file, without the signal that ends the process if it is a pipe or a socket that nobody
        /// reads any more: the write fails.
        package static func withoutPipeSignal(
            from file: Int32, _ write: () throws -> Void
        ) rethrows {
            var (signals, former, pending) = (sigset_t(), sigset_t(), sigset_t())
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            sigpending(&pending)
            pthread_sigmask(SIG_BLOCK, &signals, &former)
            defer {
                // The signal is this thread's, and goes unless somebody else sent one before.
                if sigismember(&pending, SIGPIPE) == 0 {
                    var none = timespec()
                    while sigtimedwait(&signals, nil, &none) < 0, errno == EINTR {}
                }
                pthread_sigmask(SIG_SETMASK, &former, nil)
            }
            try write()
        }

        /// A number that no other thread has while this one runs; never zero.
        @inlinable
        package static var threadID: UInt {
            // A number in one library, a pointer in the other.
            #if canImport(Glibc)
                UInt(pthread_self())
            #else
                UInt(bitPattern: pthread_self())
            #endif
        }

        static func modificationTime(_ status: stat) -> timespec {
            status.st_mtim
        }

        /// The names of the extended attributes of an open file, each followed by a zero.
        static func attributeNames(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
            listAttributes(file, buffer.baseAddress, buffer.count)
        }

        static func attribute(
            _ file: Int32, _ name: String, _ buffer: UnsafeMutableRawBufferPointer
        ) -> Int {
            getAttribute(file, name, buffer.baseAddress, buffer.count)
        }

        static func setAttribute(_ file: Int32, _ name: String, _ value: [UInt8]) -> Int32 {
            setAttribute(file, name, value, value.count, 0)
        }

        // NB: the C library has these functions, but no module of the toolchain contains their
        // header.
        @_silgen_name("flistxattr")
        private static func listAttributes(
            _ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ size: Int
        ) -> Int

        @_silgen_name("fgetxattr")
        private static func getAttribute(
            _ file: Int32, _ name: UnsafePointer<CChar>, _ buffer: UnsafeMutableRawPointer?,
            _ size: Int
        ) -> Int

        @_silgen_name("fsetxattr")
        private static func setAttribute(
            _ file: Int32, _ name: UnsafePointer<CChar>, _ value: UnsafeRawPointer, _ size: Int,
            _ flags: Int32
        ) -> Int32
    }
#endif
