#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// What the process has allocated.
enum AllocatedMemory {
    /// The bytes that are in use, with the allocator's own for each piece.
    static var bytes: Int {
        #if canImport(Darwin)
            var statistics = malloc_statistics_t()
            malloc_zone_statistics(nil, &statistics)
            return statistics.size_in_use
        #elseif canImport(Glibc)
            let info = mallinfo2()
            return info.uordblks + info.hblkhd
        #else
            return 0
        #endif
    }
}
