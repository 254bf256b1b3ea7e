#if canImport(Musl)
    import Musl

    extension Platform {
        /// Returns when the file's content has reached the storage itself.
        static func synchronize(_ file: Int32) -> Int32 {
            // The size counts as content; only times are left out.
            fdatasync(file)
        }

        /// What no other thread has as long as this one runs, and never zero.
        static var threadID: UInt { UInt(bitPattern: pthread_self()) }

        static func modificationTime(_ status: stat) -> timespec {
            status.st_mtim
        }
    }
#endif
