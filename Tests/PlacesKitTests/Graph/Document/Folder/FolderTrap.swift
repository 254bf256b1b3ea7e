import Foundation
import PlacesKit
import PlacesKitTesting

/// What somebody may put instead of a file, or of a folder.
enum FolderTrap: String, CaseIterable {
    case link, danglingLink, linkLoop, hardLink, folder, file, pipe, socket, device

    /// What is put instead of a file.
    static var forFiles: [FolderTrap] { allCases.filter { $0 != .file && $0.canBeMade } }

    /// What is put instead of a folder.
    static var forFolders: [FolderTrap] {
        allCases.filter { ![.folder, .hardLink].contains($0) && $0.canBeMade }
    }

    /// Whether this process may make it here: sockets and devices are not everybody's.
    private var canBeMade: Bool {
        guard self == .socket || self == .device else { return true }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "PlacesKit-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try spring(folder.appending(path: "node"), outside: folder)
            return true
        } catch {
            print("Skipped: this process cannot make a \(self) here.")
            return false
        }
    }

    /// Puts it instead of what is there, whose content is moved elsewhere.
    func spring(_ url: URL, outside: URL) throws {
        let (path, target) = (url.path(percentEncoded: false), outside.appending(path: "target"))
        let manager = FileManager.default
        if manager.fileExists(atPath: path) {
            try manager.moveItem(at: url, to: target)
        } else {
            try Data("somebody's".utf8).write(to: target)
        }
        switch self {
        case .link: try manager.createSymbolicLink(at: url, withDestinationURL: target)
        case .danglingLink:
            try manager.createSymbolicLink(
                at: url, withDestinationURL: outside.appending(path: "nothing"))
        case .linkLoop: try manager.createSymbolicLink(at: url, withDestinationURL: url)
        case .hardLink: try manager.linkItem(at: target, to: url)
        case .folder: try manager.createDirectory(at: url, withIntermediateDirectories: false)
        case .file: try Data("somebody's".utf8).write(to: url)
        case .pipe: try check(mkfifo(path, 0o600))
        case .socket: try check(mknod(path, S_IFSOCK | 0o600, 0))
        // Endless zeros.
        case .device: try check(mknod(path, S_IFCHR | 0o600, 1 << 8 | 5))
        }
    }

    private func check(_ result: Int32) throws {
        if result != 0 { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    }
}

/// A document with a snapshot, a journal and a blob, and a folder beside it.
struct TrappedFolder {
    let url: URL
    let outside: URL

    static let files = ["manifest.json", "snapshot-1.json", "journal-1.jsonl"]

    /// Makes the document.
    init(in directory: URL) async throws {
        url = directory.appending(path: "Document", directoryHint: .notDirectory)
        outside = directory.appending(path: "Outside", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        let document = try await ImageModel.open(DiskFileSystem(), at: url)
        try await document.save()
        _ = document.viewContext.addImage("a", thumbnail: ImageModel.bytes(8))
        try await document.save()
        try await document.close()
    }

    /// Makes the document in a directory that a test has for itself.
    static nonisolated(nonsending) func with(
        _ body: nonisolated(nonsending) (TrappedFolder, URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { try await body(TrappedFolder(in: $0), $0) }
    }

    subscript(name: String) -> URL { url.appending(path: name, directoryHint: .notDirectory) }

    /// All there is in the document's folder and beside it, but what a lock holds.
    var account: [String] {
        get throws { try Self.account(of: url) + Self.account(of: outside) }
    }

    /// What a folder holds: names, what they are, how long files are and, of short ones, their content.
    static func account(of url: URL) throws -> [String] {
        let path = FilePath(url)
        let files = try DiskFileSystem().inside(path)
        return try files.list(path).flatMap { name -> [String] in
            let file = path.appending(name)
            guard let status = try files.status(of: file) else { return ["\(name): gone"] }
            let line = "\(name): \(status.kind.rawValue)"
            switch status.kind {
            case .directory:
                return try [line] + account(of: url.appending(path: name)).map { "\(name)/\($0)" }
            case .file where name == "lock" && status.size < 9: return [line]
            case .file, .linkedFile:
                let content = try DiskFileSystem().read(file, prefix: 1 << 16)
                return ["\(line) of \(status.size) bytes: \(content.hashValue)"]
            default: return [line]
            }
        }
    }
}
