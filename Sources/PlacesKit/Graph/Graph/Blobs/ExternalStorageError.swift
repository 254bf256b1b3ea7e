import Foundation
public import PlacesBase

/// Why the bytes of an attribute with external storage could not be read.
public enum ExternalStorageError: DescribedError, Equatable {
    /// The file with the bytes does not exist.
    case missing(file: String)
    /// The file does not hold the bytes that were written.
    case damaged(file: String, reason: String)
    /// The value is not a reference to bytes.
    case notAReference
    /// The file system refused to read the file.
    case fileSystem(FileSystemError)

    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .missing(let file):
            """
            \(file), the value of an attribute with external storage, is missing. Restore it from a \
            backup, or give the attribute another value.
            """
        case .damaged(let file, let reason):
            """
            \(file), the value of an attribute with external storage, is damaged: \(reason). Restore \
            it from a backup, or give the attribute another value.
            """
        case .notAReference:
            """
            The value stands for no bytes: it is neither a reference, nor Base64, nor null. Give a value \
            of an attribute with external storage.
            """
        case .fileSystem(let error): error.description
        }
    }
}
