import Foundation

/// Why the system refused an operation on a file.
public enum FileSystemError: DescribedError, Equatable {
    /// An operation failed with this error number of the system (`errno`).
    case failed(Operation, path: String, code: Int32)

    /// The document is locked, by the process with this number if it is known.
    case locked(path: String, holder: Int32?)

    /// Something else has the name of a file that PlacesKit uses, or that is to be written; it was left as it is.
    case unexpected(path: String, found: FileKind)

    /// What lies at a path.
    public struct FileKind: Hashable, Sendable {
        package let rawValue: String

        package static let file = Self(rawValue: "a file")
        package static let linkedFile = Self(rawValue: "a file with several names (hard links)")
        package static let directory = Self(rawValue: "a folder")
        package static let link = Self(rawValue: "a link")
        package static let pipe = Self(rawValue: "a pipe")
        package static let socket = Self(rawValue: "a socket")
        package static let device = Self(rawValue: "a device")
        package static let foreign = Self(rawValue: "a file of somebody else")
        package static let ownName = Self(rawValue: "a name for a file of the document around it")
    }

    /// The operation that failed.
    public struct Operation: Hashable, Sendable {
        package let rawValue: String

        package static let makeDirectory = Self(rawValue: "make the directory")
        package static let list = Self(rawValue: "list the directory")
        package static let status = Self(rawValue: "look up")
        package static let create = Self(rawValue: "create")
        package static let open = Self(rawValue: "open")
        package static let read = Self(rawValue: "read")
        package static let write = Self(rawValue: "write to")
        package static let truncate = Self(rawValue: "cut")
        package static let synchronize = Self(rawValue: "synchronize")
        package static let close = Self(rawValue: "close")
        package static let rename = Self(rawValue: "replace")
        package static let remove = Self(rawValue: "remove")
        package static let lock = Self(rawValue: "lock")
        package static let watch = Self(rawValue: "watch")
    }
}
