import Foundation
import PlacesKit

/// Attributes with external storage: optional, required, and with a default.
enum ImageModel {
    final class Image: ManagedObject {
        @Attribute(.unique) var name: String
        @Attribute(.externalStorage) var thumbnail: Data?
        @Attribute(.externalStorage) var original: Data
        @Attribute(.externalStorage) var icon: Data? = Data([1, 2, 3])
        @Attribute var tag: Data?
        @Relationship(inverse: \Folder.images) var folder: Folder?
    }
    final class Folder: ManagedObject {
        @Relationship var images: ObjectSet<Image>
    }

    static let types: [ManagedObject.Type] = [Image.self, Folder.self]
    static let url = URL(filePath: "/Photos", directoryHint: .notDirectory)

    /// Opens a document of the classes.
    nonisolated(nonsending) static func open(
        _ files: any FileSystem, at url: URL = url, types: [ManagedObject.Type] = types,
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: types, options: .savedByHand(change), files: files)
    }

    /// Some bytes that differ by their seed.
    static func bytes(_ count: Int, _ seed: UInt64 = 0) -> Data {
        var random = DocumentRandom(seed: seed)
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
}

extension ManagedObjectContext {
    /// Makes an image whose original is its name.
    func addImage(_ name: String, thumbnail: Data? = nil) -> ImageModel.Image {
        let image = ImageModel.Image(context: self)
        image.name = name
        image.original = Data(name.utf8)
        image.thumbnail = thumbnail
        return image
    }

    /// The image of a name.
    func image(_ name: String) throws -> ImageModel.Image? {
        try find(ImageModel.Image.self, \.name, name)
    }
}

extension FileSystem {
    /// The names of the files of a document's blobs.
    func blobNames(of document: String = "/Photos") throws -> [String] {
        let path = FilePath(document + "/blobs")
        return try exists(path) ? try list(path) : []
    }
}
