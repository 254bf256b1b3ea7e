#if canImport(Glibc)
    import Glibc

    extension Platform {
        /// Returns when the file's content has reached the storage itself.
        static func synchronize(_ file: Int32) -> Int32 {
            // The size counts as content; only times are left out.
            fdatasync(file)
        }

        /// Lets the system begin to bring the file's last bytes to the storage, as it would sooner or later.
        ///
        /// That they are not needed soon is how POSIX says it.
        static func beginSynchronizing(_ file: Int32, last count: Int) {
            guard let size = size(file) else { return }
            _ = posix_fadvise(file, off_t(size - count), off_t(count), POSIX_FADV_DONTNEED)
        }

        /// What no other thread has as long as this one runs, and never zero.
        static var threadID: UInt { UInt(pthread_self()) }

        static func modificationTime(_ status: stat) -> timespec {
            status.st_mtim
        }
    }
#endif
