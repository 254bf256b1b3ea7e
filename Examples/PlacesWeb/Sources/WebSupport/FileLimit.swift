#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many files and connections this process may have open.
enum FileLimit {
    /// Asks for as many as streams and pictures of many browsers need; what the system gives is enough for few.
    static func raise() {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 8_192 else { return }
        limit.rlim_cur = min(limit.rlim_max, 8_192)
        _ = setrlimit(resource, &limit)
    }
}
