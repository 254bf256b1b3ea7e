public import Foundation
package import PlacesBase
import Synchronization

/// Pictures in a folder, which never take more than a number of bytes, even while one is written.
///
/// Each picture is stored as it came, in a file whose name identifies it. A file is written under a
/// temporary name and then renamed, so a crash leaves a whole picture or none. Several processes
/// may use the folder at the same time, and keep to the limit together if all have the same limit.
/// To make room, the cache removes the pictures read least recently, but never favorites.
///
/// ```swift
/// let disk = try await ImageDiskCache.open(at: folder, byteLimit: 50_000_000)
/// let loader = ImageLoader(source: source, disk: disk)
/// ```
public final class ImageDiskCache: Sendable {
    /// The largest number of bytes that the pictures may take together.
    public let byteLimit: Int
    /// Whether pictures are only read, and no file is created, changed or removed.
    package let isReadOnly: Bool

    let folder: FilePath
    let files: any FileSystem
    private let now: @Sendable () -> Date
    private let queue = BlockingQueue("PlacesKit.ImageDiskCache")
    let ledger = Mutex(ImageLedger())
    /// The folder as the ledger tells of it; nil if that may be another one.
    private let readVersion = Mutex<FileVersion?>(nil)
    /// The folder as it was when this process last looked at it without the lock.
    private let seenVersion = Mutex<FileVersion?>(nil)

    private static let lockName = "lock"

    private init(
        _ folder: FilePath, byteLimit: Int, isReadOnly: Bool, files: any FileSystem,
        now: @escaping @Sendable () -> Date
    ) {
        self.folder = folder
        self.byteLimit = max(0, byteLimit)
        self.isReadOnly = isReadOnly
        self.files = files
        self.now = now
    }

    /// Opens the pictures in a folder, which is created if it is missing.
    ///
    /// This removes what a crash left behind, files that should be pictures but are not, and
    /// pictures for which a smaller limit has no room.
    ///
    /// - Parameters:
    ///   - url: The file URL of the folder. Other files in it are left alone.
    ///   - byteLimit: How many bytes the pictures may take together.
    ///   - now: Returns the current time.
    /// - Returns: The cache.
    /// - Throws: `ImageCacheError`.
    public static func open(
        at url: URL, byteLimit: Int, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws(ImageCacheError) -> ImageDiskCache {
        try await open(at: FilePath(url), byteLimit: byteLimit, files: DiskFileSystem(), now: now)
    }

    package static func open(
        at folder: FilePath, byteLimit: Int, isReadOnly: Bool = false, files: any FileSystem,
        now: @escaping @Sendable () -> Date
    ) async throws(ImageCacheError) -> ImageDiskCache {
        let cache = ImageDiskCache(
            folder, byteLimit: byteLimit, isReadOnly: isReadOnly, files: files, now: now)
        guard !isReadOnly else {
            try await cache.look()
            return cache
        }
        try await cache.changing { () throws(ImageCacheError) in
            try Self.rethrow { () throws(FileSystemError) in
                _ = try files.removeTemporaries(in: folder)
            }
            try cache.makeRoom(for: 0)
        }
        return cache
    }

    /// How many bytes the pictures take, as far as this process knows.
    public var usedBytes: Int { ledger.withLock { $0.usedBytes } }

    /// How many bytes belong to favorites, which are never removed to make room.
    package var pinnedBytes: Int { ledger.withLock { $0.pinnedBytes } }

    /// How many pictures there are, as far as this process knows.
    public var count: Int { ledger.withLock { $0.count } }

    /// The names of the pictures' files.
    var names: [ImageFileName] {
        ledger.withLock { $0.names }
    }

    /// The names of the files of a photo.
    func names(ofPhoto photoStem: String) -> [ImageFileName] {
        ledger.withLock { $0.names(ofPhoto: photoStem) }
    }

    /// The file name of a picture, which says when it was fetched and whether it is pinned.
    func file(for key: ImageKey) -> ImageFileName? {
        ledger.withLock { $0[ImageFileName.stem(key)] }
    }

    /// A picture; nil if the cache does not have it, or no longer.
    func data(for key: ImageKey) async -> Data? {
        let stem = ImageFileName.stem(key)
        guard let file = ledger.withLock({ $0.use(stem) }) else { return nil }
        return await queue.run { [self] in
            let path = folder.appending(file.description)
            guard let content = try? files.read(path), content.count == file.size,
                PictureSignature.begins(content)
            else {
                // The next change looks whether there is a file, and so does the next look.
                readVersion.withLock { $0 = nil }
                seenVersion.withLock { $0 = nil }
                ledger.withLock { $0.remove(file) }
                return nil
            }
            if !file.isPinned, !isReadOnly { files.noteUse(of: path, at: now()) }
            return Data(content)
        }
    }

    /// Writes a picture in place of an older one, if it is still wanted when the queue gets to it.
    ///
    /// A pinned picture gives way to pinned ones only, since another process may have pinned it. A
    /// photo has one pinned picture: the last one.
    ///
    /// - Throws: `ImageCacheError`. If there was no room left, pictures have then been removed to make
    ///   it, the older one last: the limit also holds while a picture is written. Nothing is removed
    ///   for a picture that cannot fit.
    func store(
        _ data: Data, for key: ImageKey, from url: URL? = nil, fetched: Date, isPinned: Bool,
        if isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(ImageCacheError) {
        let file = ImageFileName(
            key, from: url, fetched: fetched, size: data.count, isPinned: isPinned)
        try await changing { [self] () throws(ImageCacheError) in
            guard isWanted() else { return }
            let old = names(ofPhoto: file.photoStem).filter {
                $0.stem == file.stem || isPinned && $0.isPinned
            }
            guard isPinned || !old.contains(where: \.isPinned) else { return }
            try makeRoom(for: data.count, replacing: old)
            do {
                try files.replaceFile(
                    at: folder.appending(file.description), with: [UInt8](data))
            } catch let error as FileSystemError {
                throw .fileSystem(error)
            } catch {
                preconditionFailure("the file system threw an error of no type: \(error)")
            }
            for old in old where old != file { try remove(old) }
            ledger.withLock { $0.insert(file) }
        }
    }

    /// Removes all pictures for which `isUnwanted` returns true when the queue gets to them.
    ///
    /// - Returns: How many pictures were removed.
    @discardableResult
    func removeAll(
        where isUnwanted: @escaping @Sendable (ImageFileName) -> Bool
    ) async throws(ImageCacheError) -> Int {
        try await changing { [self] () throws(ImageCacheError) in
            let unwanted = names.filter(isUnwanted)
            for file in unwanted { try remove(file) }
            return unwanted.count
        }
    }

    /// Removes all pictures of a photo.
    ///
    /// - Throws: `ImageCacheError`.
    public func remove(photo: String, of source: String) async throws(ImageCacheError) {
        try await remove(ofPhoto: ImageFileName.photoStem(source: source, photo: photo))
    }

    /// Removes all pictures of a photo, if they are still unwanted when the queue gets to them.
    func remove(
        ofPhoto photoStem: String, if isUnwanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(ImageCacheError) {
        try await changing { [self] () throws(ImageCacheError) in
            guard isUnwanted() else { return }
            for file in names(ofPhoto: photoStem) { try remove(file) }
        }
    }

    /// Removes all pictures.
    ///
    /// - Throws: `ImageCacheError`.
    public func removeAll() async throws(ImageCacheError) {
        try await removeAll { _ in true }
    }

    /// Reads which files there are, without a lock, if others may have changed that since.
    ///
    /// There are none if the folder does not exist yet.
    func look() async throws(ImageCacheError) {
        try await queue.run { [self] () throws(ImageCacheError) in
            let version = files.version(of: folder)
            guard !isRead, version == nil || seenVersion.withLock({ $0 }) != version else { return }
            try Self.rethrow { () throws(FileSystemError) in
                if try files.exists(folder) { try readFolder(isLocked: false) }
            }
            seenVersion.withLock { $0 = version }
        }
    }

    /// Runs a change that no other process can interrupt, after reading what others have changed.
    func changing<Value: Sendable>(
        _ change: @escaping @Sendable () throws(ImageCacheError) -> Value
    ) async throws(ImageCacheError) -> Value {
        guard !isReadOnly else { throw .readOnly(folder: folder.description) }
        return try await queue.run { [self] () throws(ImageCacheError) in
            let lock = try Self.rethrow { () throws(FileSystemError) in
                try files.ensureDirectory(at: folder)
                // Inside the folder no link is followed: the lock would empty its target.
                let lock = try files.inside(folder)
                    .waitForLock(at: folder.appending(Self.lockName))
                if !isRead { try readFolder(isLocked: true) }
                return lock
            }
            defer { lock.release() }
            let value = try change()
            noteFolder()
            return value
        }
    }

    /// Whether nobody else has changed the folder since this process did.
    private var isRead: Bool {
        guard let version = readVersion.withLock({ $0 }) else { return false }
        return files.version(of: folder) == version
    }

    /// Notes that the ledger tells of the folder as it is now.
    ///
    /// Clocks tick a few hundred times a second, so two changes may have the same date. Therefore
    /// the folder gets a date that no change has: one of the last hour, by chance.
    private func noteFolder() {
        guard !isRead else { return }
        let date = Date() - .random(in: 1..<3_600)
        files.noteUse(of: folder, at: date)
        // Where dates are less exact, a change may have the same one.
        let isExact = files.lastUse(of: folder).map { abs($0.timeIntervalSince(date)) < 1e-5 }
        readVersion.withLock { $0 = isExact == true ? files.version(of: folder) : nil }
    }

    static func rethrow<Value>(
        _ body: () throws(FileSystemError) -> Value
    ) throws(ImageCacheError) -> Value {
        do { return try body() } catch { throw .fileSystem(error) }
    }

    /// Reads which files were added and removed.
    ///
    /// A name says all that the cache needs. So only new files are looked at, to find the time of
    /// their last use. Only under the lock, which a reader never has, is what is wrong removed.
    private func readFolder(isLocked: Bool) throws(FileSystemError) {
        try readNames(isLocked: isLocked)
        guard isLocked else { return }
        // The same crash leaves the pinned files of two variants, and a photo has one.
        for file in ledger.withLock(\.surplus) {
            try files.remove(folder.appending(file.description))
            ledger.withLock { $0.remove(file) }
        }
    }

    private func readNames(isLocked: Bool) throws(FileSystemError) {
        let found = Set(try files.list(folder).compactMap { ImageFileName($0) })
        let known = Set(names)
        guard found != known else { return }
        ledger.withLock { ledger in
            for file in known.subtracting(found) { ledger.remove(file) }
        }
        var unknown: [(file: ImageFileName, lastUse: Date)] = []
        for file in found.subtracting(known) {
            let path = folder.appending(file.description)
            guard let status = try files.status(of: path), status.kind == .file else { continue }
            guard status.size == file.size, beginsAsPicture(path) else {
                if isLocked { try files.remove(path) }
                continue
            }
            unknown.append((file, files.lastUse(of: path) ?? file.fetchDate))
        }
        unknown.sort { ($0.lastUse, $0.file.fetched) < ($1.lastUse, $1.file.fetched) }
        for (file, _) in unknown {
            // A crash between writing a picture and removing its older version leaves two files. If
            // only one is pinned, it belongs to a favorite, whose picture may be the older one.
            let other = ledger.withLock { $0[file.stem] }
            let valid = [other, file].compactMap { $0 }.max {
                ($0.isPinned ? 1 : 0, $0.fetched) < ($1.isPinned ? 1 : 0, $1.fetched)
            }
            if let other, isLocked {
                let surplus = valid == file ? other : file
                try files.remove(folder.appending(surplus.description))
            }
            guard valid == file else { continue }
            ledger.withLock { $0.insert(file) }
        }
    }

    /// Whether a file begins as pictures do.
    ///
    /// A crash of the system can leave a file without its content, or with zeros in its place.
    /// Whoever wrote a file may also not have checked its content. A file that cannot be read now
    /// counts as a picture, since it may be readable later.
    private func beginsAsPicture(_ path: FilePath) -> Bool {
        guard let head = try? files.read(path, prefix: PictureSignature.length) else { return true }
        return PictureSignature.begins(head)
    }

    /// Removes the pictures used least recently until `size` more bytes fit.
    ///
    /// The pictures that it replaces count too, and are removed if nothing else can be.
    private func makeRoom(
        for size: Int, replacing old: [ImageFileName] = []
    ) throws(ImageCacheError) {
        let pinned = old.reduce(pinnedBytes) { $1.isPinned ? $0 - $1.size : $0 }
        guard size <= byteLimit - pinned || size == 0 else {
            throw .full(needed: size, byteLimit: byteLimit, pinned: pinned)
        }
        var old = old
        while usedBytes > byteLimit - size {
            // After the limit was lowered, favorites stay even if they exceed it.
            guard let victim = ledger.withLock({ $0.leastRecentlyUsed }) ?? old.popLast() else {
                return
            }
            try remove(victim)
        }
    }

    private func remove(_ file: ImageFileName) throws(ImageCacheError) {
        let path = folder.appending(file.description)
        do {
            try files.remove(path)
        } catch {
            // Somebody may have removed the file by hand.
            guard case .failed(_, _, POSIXError.Code.ENOENT.rawValue) = error else {
                throw .fileSystem(error)
            }
        }
        ledger.withLock { $0.remove(file) }
    }
}
