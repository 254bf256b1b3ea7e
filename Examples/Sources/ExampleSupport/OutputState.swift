#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

/// What became of what was printed.
enum OutputState {
    /// Whether some of it was lost: the C library drops what it could not write, and only notes that it failed.
    static var isLossy: Bool { ferror(stdout) != 0 }
}
