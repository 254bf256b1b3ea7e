#if canImport(Glibc)
    import Glibc

    extension Platform {
        /// Returns when the file's content has reached the storage itself.
        static func synchronize(_ file: Int32) -> Int32 {
            // The size counts as content; only times are left out.
            fdatasync(file)
        }

        /// What no other thread has as long as this one runs, and never zero.
        static var threadID: UInt { UInt(pthread_self()) }

        /// Lets a large block of memory that nobody has touched yet be handed out in pages of megabytes:
        /// each page costs as much as a small one to get.
        static func preferLargePages(_ memory: UnsafeMutableRawBufferPointer) {
            let size = 1 << 21
            guard let start = memory.baseAddress else { return }
            let first = start.alignedUp(toMultipleOf: size)
            let count = (memory.count - (first - start)) & ~(size - 1)
            // It is advice; a system that cannot follow it goes on as before.
            if count > 0 { _ = madvise(first, count, MADV_HUGEPAGE) }
        }

        static func modificationTime(_ status: stat) -> timespec {
            status.st_mtim
        }
    }
#endif
