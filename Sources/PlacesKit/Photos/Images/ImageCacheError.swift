import Foundation
public import PlacesBase

/// Why a picture could not be kept on disk.
public enum ImageCacheError: DescribedError, Equatable {
    /// The file system refused an operation.
    case fileSystem(FileSystemError)
    /// A picture of `needed` bytes does not fit, because `pinned` bytes belong to favorites.
    case full(needed: Int, byteLimit: Int, pinned: Int)
    /// The pictures in a folder were opened only for reading.
    case readOnly(folder: String)

    /// One or two sentences that say what happened and what to do.
    public var description: String {
        switch self {
        case .fileSystem(let error): error.description
        case .full(let needed, let byteLimit, let pinned):
            "A picture of \(needed) bytes does not fit: of \(byteLimit) bytes for pictures on disk, "
                + "\(pinned) hold favorites. Raise the limit, or remove some favorites."
        case .readOnly(let folder):
            "The pictures in \(folder) are only read here. Open them for writing to change them."
        }
    }
}
