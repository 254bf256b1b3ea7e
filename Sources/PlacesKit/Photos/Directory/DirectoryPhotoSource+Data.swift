public import Foundation
import PlacesBase

extension DirectoryPhotoSource {
    /// The file of a photo, or a smaller picture inside it.
    ///
    /// If the file no longer contains a preview, the whole file is returned instead.
    ///
    /// - Throws: `PhotoSourceError.gone` if the file no longer exists, `tooLarge` if it has more
    ///   bytes than ``fileLimit``, `unavailable` if it cannot be read.
    public func data(for variant: PhotoVariant) async throws -> Data {
        let name = variant.url.lastPathComponent
        guard let (photo, picture) = try await index().photo(of: variant) else {
            throw PhotoSourceError.gone(what: "The picture \(name)")
        }
        return try await pictures.value(for: variant.url) { [self] in
            try await pictureQueue.run { [self] cancellation in
                try read(picture, of: photo, called: name, cancellation)
            }
        }
    }

    private func read(
        _ picture: DirectoryPhoto.Picture, of photo: DirectoryPhoto, called name: String,
        _ cancellation: Cancellation
    ) throws -> Data {
        do {
            let file = PhotoFile(file: try open(photo, called: name), cancellation: cancellation)
            return try read(picture, from: file, called: name)
        } catch let error as FileSystemError {
            throw unreadable(error)
        }
    }

    private func open(_ photo: DirectoryPhoto, called name: String) throws -> any SeekableFile {
        let root = FilePath(directory)
        let folder = try files.inside(root)
        do {
            return try folder.openForSeeking(root.appending(photo.path))
        } catch {
            guard error.isAbsence else { throw error }
            throw PhotoSourceError.gone(what: "The picture \(name)")
        }
    }

    private func read(
        _ picture: DirectoryPhoto.Picture, from file: PhotoFile, called name: String
    ) throws -> Data {
        // The file may have changed since it was scanned.
        switch picture {
        case .thumbnail:
            guard let range = try file.metadata()?.thumbnail else {
                throw PhotoSourceError.gone(what: "The thumbnail of \(name)")
            }
            return Data(try file.bytes(in: range))
        case .preview:
            if let metadata = try file.metadata(), let preview = try file.preview(metadata),
                preview.range.count <= fileLimit
            {
                return Data(try file.bytes(in: preview.range))
            }
        case .original: break
        }
        let limit = min(fileLimit, Platform.memorySize - 1)
        guard file.file.size ?? 0 <= limit else { throw PhotoSourceError.tooLarge(limit: limit) }
        let content = try file.bytes(in: 0..<(limit + 1))
        guard content.count <= limit else { throw PhotoSourceError.tooLarge(limit: limit) }
        guard !content.isEmpty else {
            throw PhotoSourceError.gone(what: "The picture \(name)")
        }
        return Data(content)
    }
}

extension FileSystemError {
    /// Whether the file does not exist, or something else has its name.
    fileprivate var isAbsence: Bool {
        switch self {
        case .failed(_, _, let code):
            [.ENOENT, .ENOTDIR].contains(POSIXError.Code(rawValue: code))
        case .unexpected: true
        case .locked: false
        }
    }
}
