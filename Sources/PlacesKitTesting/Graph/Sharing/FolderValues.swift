import Foundation
import PlacesGraph

/// The bytes of values in a log's folder, a file for each, whose name is its digest.
struct FolderValues: Sendable {
    let folder: FilePath
    private let files: any FileSystem
    private let queue: BlockingQueue

    init(in folder: FilePath, _ files: any FileSystem, _ queue: BlockingQueue) {
        (self.folder, self.files, self.queue) = (folder, files, queue)
    }

    /// Writes the bytes of values that are not there yet.
    func add(_ values: [SharedValue]) async throws {
        for value in values where try await !queue.run({ try have([value]) }) {
            let bytes = try await value.bytes()
            try await queue.run {
                try files.replaceFile(at: path(value.digest), with: Array(bytes))
            }
        }
    }

    /// Whether the bytes of all values are there.
    private func have(_ values: [SharedValue]) throws -> Bool {
        try values.allSatisfy { try files.exists(path($0.digest)) }
    }

    /// Whether the bytes of all values are there, and then on disk.
    ///
    /// The caller holds the lock, so nobody removes them.
    func haveOnDisk(_ values: [SharedValue]) throws -> Bool {
        guard try have(values) else { return false }
        // Whoever wrote them may have died before their names were on disk, or be about to bring them there.
        if !values.isEmpty { try files.synchronizeDirectory(folder) }
        return true
    }

    /// The bytes of a value.
    @Sendable func bytes(of digest: String) async throws -> Data {
        try await queue.run { Data(try files.read(path(digest))) }
    }

    /// Removes the bytes of all values but some.
    func removeAll(but used: [SharedValue]) throws {
        let names = Set(try files.names(in: folder).names).subtracting(used.map(\.digest))
        // Others may just be writing one, or remove the same ones.
        for path in names.map(folder.appending) where !path.isTemporary { try? files.remove(path) }
    }

    // MARK: - Lists of a base

    /// Writes which values a base refers to: a line with the digest and the length of each.
    func write(_ values: [SharedValue], at path: FilePath) throws {
        let lines = values.map { "\($0.digest) \($0.byteCount)\n" }
        try files.replaceFile(at: path, with: Array(lines.joined().utf8))
    }

    /// The values that a list has.
    func list(at path: FilePath) throws -> [SharedValue] {
        // Bases of earlier versions have their bytes in them.
        guard try files.exists(path) else { return [] }
        return String(decoding: try files.read(path), as: UTF8.self).split(separator: "\n")
            .compactMap {
                let words = $0.split(separator: " ").map(String.init)
                guard words.count == 2, let count = Int(words[1]) else { return nil }
                return SharedValue(digest: words[0], byteCount: count) {
                    try await bytes(of: words[0])
                }
            }
    }

    private func path(_ digest: String) -> FilePath { folder.appending(digest) }
}
