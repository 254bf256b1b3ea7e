import Foundation
import PlacesBase

/// Reads a folder and its subfolders, and decides which files are photos and which to leave out.
///
/// It does not read files again that have not changed since the last scan.
struct DirectoryScanner {
    private static let deepestFolder = 16

    private let directory: URL
    private let root: FilePath
    /// The files in the folder; links are not followed.
    private let files: any FileSystem
    private let earlier: DirectoryIndex?
    private let cancellation: Cancellation
    private var folders = [(path: "", depth: 0)]
    private var photos: [DirectoryPhoto] = []
    private var skipped: [DirectoryPhotoSource.Scan.SkippedFile] = []
    private var known: [String: DirectoryIndex.KnownFile] = [:]

    /// Opens a folder.
    init(
        _ directory: URL, _ files: any FileSystem, after earlier: DirectoryIndex?,
        _ cancellation: Cancellation
    ) throws(FileSystemError) {
        self.directory = directory
        root = FilePath(directory)
        self.files = try files.inside(root)
        self.earlier = earlier
        self.cancellation = cancellation
    }

    /// Reads the folder; an error inside it only leaves out the file or subfolder concerned.
    mutating func run() throws -> DirectoryIndex {
        while let (path, depth) = folders.popLast() {
            let names: FolderNames
            do {
                names = try files.names(in: path.isEmpty ? root : root.appending(path))
            } catch {
                guard !path.isEmpty else { throw error }
                skip(path, error.reason)
                continue
            }
            let prefix = path.isEmpty ? "" : path + "/"
            for name in names.spelled where !name.hasPrefix(".") {
                guard PhotoFileName(name).mayBePicture else { continue }
                skip(prefix + name, "Its name is not UTF-8; give it another one.")
            }
            for name in names.names where !name.hasPrefix(".") {
                try cancellation.check()
                try look(at: prefix + name, depth)
            }
        }
        try cancellation.check()
        return DirectoryIndex(photos, skipped: skipped, known: known)
    }

    private mutating func look(at path: String, _ depth: Int) throws {
        do {
            let file = root.appending(path)
            switch (try files.status(of: file)?.kind, PhotoFileName(path)) {
            // It was removed a moment ago, or is a link.
            case (nil, _), (.link, _): break
            case (.directory, _) where depth < Self.deepestFolder:
                folders.append((path, depth + 1))
            case (.directory, _):
                skip(path, "It lies more than \(Self.deepestFolder) folders deep.")
            case (.file, .photo), (.linkedFile, .photo): try look(atPhoto: path, file)
            case (let kind?, .photo): skip(path, "It is \(kind.rawValue).")
            case (_, .otherFormat(let format)):
                skip(path, "\(format) is not read; save it as JPEG.")
            case (_, .plain), (_, .other): break
            }
        } catch let error as FileSystemError {
            skip(path, error.reason)
        }
    }

    private mutating func look(atPhoto path: String, _ file: FilePath) throws {
        let identifier = DirectoryPhoto.identifier(of: path)
        if let known = earlier?.known[identifier], known.version == files.version(of: file) {
            add(known.isPhoto ? earlier?.photo(identifier) : nil, identifier, path, known.version)
            return
        }
        let photo = PhotoFile(file: try files.openForSeeking(file), cancellation: cancellation)
        // The version is read before the content, so that the next scan notices a change in
        // between.
        let version = photo.file.version
        let content = try photo.metadata().map { metadata in
            DirectoryPhoto(
                path, url: directory.appending(path: path), version: version, metadata,
                preview: try photo.preview(metadata))
        }
        add(content, identifier, path, version)
    }

    private mutating func add(
        _ photo: DirectoryPhoto?, _ identifier: String, _ path: String, _ version: FileVersion?
    ) {
        known[identifier] = version.map { .init(version: $0, isPhoto: photo != nil) }
        if let photo { photos.append(photo) } else { skip(path, "This is no JPEG file.") }
    }

    private mutating func skip(_ path: String, _ reason: String) {
        skipped.append(.init(path: path, reason: reason))
    }
}

extension FileSystemError {
    /// Why a file is left out, without its path, so that equal reasons have equal texts.
    fileprivate var reason: String {
        switch self {
        case .failed(_, _, let code):
            "It cannot be read: \(Platform.errorText(code).lowercased())."
        case .unexpected(_, let found): "It is \(found.rawValue)."
        case .locked: "It is locked."
        }
    }
}
