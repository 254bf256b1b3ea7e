#if canImport(Musl)
    import Musl

    extension Platform {
        /// Returns when the file's content has reached the storage itself.
        static func synchronize(_ file: Int32) -> Int32 {
            fsync(file)
        }

        static func modificationTime(_ status: stat) -> timespec {
            status.st_mtim
        }
    }
#endif
