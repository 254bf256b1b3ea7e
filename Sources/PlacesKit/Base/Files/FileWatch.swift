import Dispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tells of changes of a folder's names and of a file's content, until it is released.
///
/// Sendable, for nothing of it changes.
package final class FileWatch: @unchecked Sendable {
    private let sources: [any DispatchSourceProtocol]

    /// Calls `onChange` on a thread of the system's some time after a name in a folder or the content of a file
    /// changed, once for changes that follow each other closely, and on Apple's platforms when the system begins to watch.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - file: A file in it; where the system tells of all files in a folder it tells of this one too.
    ///   - files: The file system in which both are found.
    ///   - onChange: What is called.
    /// - Throws: ``FileSystemError`` if the system watches no more.
    init(
        _ folder: FilePath, file: FilePath?, in files: DiskFileSystem,
        onChange: @escaping @Sendable () -> Void
    ) throws(FileSystemError) {
        let opened = try files.opened(
            folder, .watch, expecting: [.directory], Platform.openForWatching)
        #if canImport(Darwin)
            var watched = [opened]
            if let file {
                do throws(FileSystemError) {
                    watched.append(
                        try files.opened(
                            file, .watch, expecting: [.file, .linkedFile],
                            Platform.openForWatching))
                } catch .failed(_, _, ENOENT) {
                    // The folder tells of the one that takes its place.
                }
            }
            sources = watched.map { file -> any DispatchSourceProtocol in
                let descriptor = file.relinquish()
                let source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor, eventMask: [.write, .extend, .rename, .delete])
                source.setEventHandler(handler: onChange)
                // What came before the system began to watch is looked for.
                source.setRegistrationHandler(handler: onChange)
                source.setCancelHandler { _ = close(descriptor) }
                return source
            }
        #else
            let descriptor = try FileSystemError.check(.watch, folder) {
                inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
            source.setCancelHandler { _ = close(descriptor) }
            source.setEventHandler {
                // What happened is seen in the files.
                withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 8) { events in
                    while read(descriptor, events.baseAddress, events.count) > 0 {}
                }
                onChange()
            }
            sources = [source]
            let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)
            do {
                defer { withExtendedLifetime(opened) {} }
                // The folder that is open: its path may lead elsewhere by now.
                try FileSystemError.check(.watch, folder) {
                    inotify_add_watch(
                        descriptor, "/proc/self/fd/\(opened.descriptor)", events)
                }
            } catch {
                source.resume()
                source.cancel()
                throw error
            }
        #endif
        for source in sources { source.resume() }
    }

    deinit { for source in sources { source.cancel() } }
}
