import Foundation
import PlacesBase
import Synchronization

/// The directory of a document's blobs, one file for each.
///
/// A file has a number for its name, is written once, and never changes.
final class BlobFiles: Sendable {
    /// The name of the directory in a document.
    static let directoryName = "blobs"
    /// The numbers that a file can have: however many come after it, none overflows.
    static let numberRange: Range<Int64> = 1..<1 << 62

    /// How many bytes a file may have: more fit into no memory, and the lengths of all files can be added up.
    static let byteCounts: Range<Int64> = 0..<min(1 << 40, Int64(Int.max))

    private struct State {
        /// How many refer to a file, by its number.
        var users: [Int64: Int] = [:]
        /// A number that no file has, once `isListed`.
        var next: Int64 = 1
        /// Whether somebody has looked which files there are.
        var isListed = false
        /// Whether the directory's own name is on disk.
        var isNameSafe = false
        var access = FolderAccess.standard
        /// Who is told of blobs that cannot be read.
        var onError: [ObjectIdentifier: @Sendable (ExternalStorageError) -> Void] = [:]
    }

    let path: FilePath
    let files: any FileSystem
    private let state = Mutex(State())

    private init(at path: FilePath, _ files: any FileSystem) {
        self.path = path
        self.files = files
    }

    /// The blobs of the document in a directory, as it is opened.
    ///
    /// They are the same ones while somebody in this process still has some of when it was open before.
    static func ofDocument(_ path: FilePath, _ files: any FileSystem) -> BlobFiles {
        let blobs = path.appending(directoryName)
        let key = Key(files.identity(of: path), blobs, files)
        return known.withLock { known in
            known = known.filter { $0.value.files != nil }
            if let found = known[key]?.files {
                // Others may have written meanwhile.
                found.state.withLock { $0.isListed = false }
                return found
            }
            let made = BlobFiles(at: blobs, files)
            known[key] = WeakFiles(files: made)
            return made
        }
    }

    private static let known = Mutex<[Key: WeakFiles]>([:])

    private struct WeakFiles: Sendable {
        weak var files: BlobFiles?
    }

    /// Which document it is, whatever path leads to it, where the system tells.
    private struct Key: Hashable {
        let document: FileIdentity?
        let path: FilePath?
        let system: ObjectIdentifier

        init(_ document: FileIdentity?, _ path: FilePath, _ files: any FileSystem) {
            self.document = document
            self.path = document == nil ? path : nil
            let type = type(of: files)
            system =
                type is AnyClass ? ObjectIdentifier(files as AnyObject) : ObjectIdentifier(type)
        }
    }

    /// The path of a blob's file.
    func path(of number: Int64) -> FilePath { path.appending(String(number)) }

    /// Removes a blob's file.
    func remove(_ number: Int64) throws(FileSystemError) { try files.remove(path(of: number)) }

    /// The number of a file's name, or `nil` for a file that is something else.
    static func number(_ name: String) -> Int64? {
        guard let number = Int64(name), numberRange.contains(number),
            // Other spellings of the number, such as 007, are not ours.
            String(number) == name
        else { return nil }
        return number
    }

    /// The numbers of the files that there are.
    func numbers() throws(FileSystemError) -> [Int64] {
        guard try files.exists(path) else { return [] }
        return try files.list(path).compactMap(Self.number)
    }

    /// Reads a blob, and checks that it is what was written.
    func read(_ reference: BlobReference) throws(ExternalStorageError) -> Data {
        let path = path(of: reference.number)
        let bytes: [UInt8]
        do throws(FileSystemError) {
            // No more is read than there should be, however long the file is.
            bytes = try files.read(path, prefix: reference.byteCount + 1)
        } catch .failed(_, _, POSIXError.Code.ENOENT.rawValue) {
            throw .missing(file: path.description)
        } catch {
            throw .fileSystem(error)
        }
        guard bytes.count == reference.byteCount else {
            let size = (try? files.status(of: path))?.size ?? 0
            let found = max(size, bytes.count)
            throw .damaged(
                file: path.description,
                reason: "it has \(found) bytes instead of \(reference.byteCount)")
        }
        guard bytes.withUnsafeBytes(CRC32.checksum) == reference.checksum else {
            throw .damaged(file: path.description, reason: "its bytes do not fit their checksum")
        }
        return Data(bytes)
    }

    /// What the directory and new files have.
    var access: FolderAccess { state.withLock(\.access) }

    /// Lets the directory and new files have something else.
    func setAccess(_ access: FolderAccess) { state.withLock { $0.access = access } }

    /// Checks that what has the name of the directory is one, if there is anything.
    func checkDirectory() throws(FileSystemError) {
        guard let found = try files.status(of: path), !found.isDirectory else { return }
        throw .unexpected(path: path.description, found: found.kind)
    }

    /// Brings the names of the files to disk, and that of the directory before.
    func synchronizeNames() throws(FileSystemError) {
        if !state.withLock(\.isNameSafe) {
            try files.synchronizeDirectory(path.parent)
            state.withLock { $0.isNameSafe = true }
        }
        try files.synchronizeDirectory(path)
    }

    // MARK: - Numbers

    /// Gives a number that no file has and no other call gives, and keeps it from being removed until it
    /// is released.
    func nextNumber() throws(FileSystemError) -> Int64 {
        let highest = state.withLock(\.isListed) ? 0 : try numbers().max() ?? 0
        return try state.withLock { state throws(FileSystemError) in
            let number = max(state.next, highest + 1)
            guard Self.numberRange.contains(number) else {
                // Nobody would find its file. No document has so many of its own.
                throw .unexpected(path: path(of: number - 1).description, found: .foreign)
            }
            state.next = number + 1
            state.isListed = true
            state.users[number, default: 0] += 1
            return number
        }
    }

    /// Notes that somebody refers to a file.
    func retain(_ number: Int64) {
        state.withLock { state in
            state.users[number, default: 0] += 1
            state.next = max(state.next, number + 1)
        }
    }

    /// Notes that somebody refers to a file no longer.
    func release(_ number: Int64) {
        state.withLock { state in
            guard let count = state.users[number] else { return }
            state.users[number] = count > 1 ? count - 1 : nil
        }
    }

    /// Whether somebody in this process refers to a file.
    func isUsed(_ number: Int64) -> Bool { state.withLock { $0.users[number] != nil } }

    // MARK: - Errors

    /// Lets an owner be told of blobs that could not be read where nobody could be thrown at, besides
    /// those who are already.
    func onError(
        for owner: ObjectIdentifier, _ body: @escaping @Sendable (ExternalStorageError) -> Void
    ) {
        state.withLock { $0.onError[owner] = body }
    }

    /// Lets an owner, who may not be there for long, be told no more.
    func removeOnError(for owner: ObjectIdentifier) {
        state.withLock { $0.onError[owner] = nil }
    }

    func report(_ error: ExternalStorageError) {
        for body in state.withLock({ Array($0.onError.values) }) { body(error) }
    }
}
