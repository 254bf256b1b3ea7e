#if canImport(Darwin)
    public import Darwin

    extension Platform {
        /// Returns when the file's content has reached the storage itself.
        ///
        /// On Darwin, `fsync` alone leaves it in the drive's cache. A volume that can do no better
        /// refuses `F_FULLFSYNC`.
        static func synchronize(_ file: Int32) -> Int32 {
            let result = fcntl(file, F_FULLFSYNC)
            return result == 0 || errno == EINTR ? result : fsync(file)
        }

        /// Does nothing on this system, which has no such call.
        static func beginSynchronizing(_ file: Int32, last count: Int) {}

        /// Opens a file or a folder to be told of its changes; its volume can be ejected meanwhile.
        static func openForWatching(_ location: FileLocation) -> Int32 {
            openat(
                location.directory, location.name, O_EVTONLY | O_CLOEXEC | flags(location))
        }

        /// Calls what writes to a file, without the signal that ends the process if it is a pipe or a socket that nobody
        /// reads any more: the write fails.
        package static func withoutPipeSignal(
            from file: Int32, _ write: () throws -> Void
        ) rethrows {
            // NB: the signal would be the process's, so that it does not help to block it on this thread.
            let former = fcntl(file, F_GETNOSIGPIPE)
            _ = fcntl(file, F_SETNOSIGPIPE, 1)
            defer { if former == 0 { _ = fcntl(file, F_SETNOSIGPIPE, 0) } }
            try write()
        }

        /// A number that no other thread has while this one runs; never zero.
        @inlinable
        package static var threadID: UInt { UInt(bitPattern: pthread_self()) }

        static func modificationTime(_ status: stat) -> timespec {
            status.st_mtimespec
        }

        /// The names of the extended attributes of an open file, each followed by a zero.
        static func attributeNames(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
            flistxattr(
                file, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, 0)
        }

        static func attribute(
            _ file: Int32, _ name: String, _ buffer: UnsafeMutableRawBufferPointer
        ) -> Int {
            fgetxattr(file, name, buffer.baseAddress, buffer.count, 0, 0)
        }

        static func setAttribute(_ file: Int32, _ name: String, _ value: [UInt8]) -> Int32 {
            fsetxattr(file, name, value, value.count, 0, 0)
        }
    }
#endif
