public import Foundation

/// Why the system refused an operation on a file.
public enum FileSystemError: LocalizedError, CustomStringConvertible, Equatable, Sendable {
    /// An operation failed with an error number of the system (`errno`).
    case failed(Operation, path: String, code: Int32)

    /// Somebody else has locked the document: the process with this number, if it is known.
    case locked(path: String, holder: Int32?)

    /// What lies in a folder under a name of PlacesKit's is none of its files; it was left as it is.
    case unexpected(path: String, found: FileKind)

    /// What lies at a path.
    public enum FileKind: String, Sendable {
        /// A file with one name.
        case file = "a file"
        /// A file that has other names too, here or elsewhere.
        case linkedFile = "a file with several names (hard links)"
        /// A directory.
        case directory = "a folder"
        /// A symbolic link.
        case link = "a link"
        /// A named pipe.
        case pipe = "a pipe"
        /// A socket.
        case socket = "a socket"
        /// A device.
        case device = "a device"
        /// A file whose content is somebody else's.
        case foreign = "a file of somebody else"
    }

    /// What was to be done.
    public enum Operation: String, Sendable {
        /// A directory was to be made.
        case makeDirectory = "make the directory"
        /// The names in a directory were to be listed.
        case list = "list the directory"
        /// Size and type of a file were to be looked up.
        case status = "look up"
        /// A new file was to be made.
        case create = "create"
        /// A file was to be opened.
        case open = "open"
        /// The content of a file was to be read.
        case read = "read"
        /// Bytes were to be added to a file.
        case write = "write to"
        /// A file was to be cut to a size.
        case truncate = "cut"
        /// A file or directory was to be brought to the storage itself.
        case synchronize = "synchronize"
        /// A file was to be closed.
        case close = "close"
        /// A file was to be given this name, instead of whatever had it.
        case rename = "replace"
        /// A file was to be removed.
        case remove = "remove"
        /// The lock was to be taken.
        case lock = "lock"
    }
}
