package import Foundation

/// The path of a file, as system calls take it.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether it is of a URL of something else than files, whose path would be another file's.
    private var isForeign = false

    package init(_ path: String) {
        description = path
    }

    /// The path of a file URL; of another URL one at which no system call finds or makes anything.
    package init(_ url: URL) {
        isForeign = url.scheme != nil && !url.isFileURL
        description = isForeign ? url.absoluteString : url.path(percentEncoded: false)
    }

    private init(_ path: String, isForeign: Bool) {
        (description, self.isForeign) = (path, isForeign)
    }

    /// Throws where a system call would find another file: the system ends a path at a zero byte.
    func check(_ operation: FileSystemError.Operation) throws(FileSystemError) {
        guard !isForeign, !description.utf8.contains(0) else {
            throw .failed(
                operation, path: description, code: POSIXError.Code.EINVAL.rawValue)
        }
    }

    /// The path of a file in the directory that this path names.
    package func appending(_ name: String) -> FilePath {
        let start = description.utf8.last == Self.slash ? description : description + "/"
        return FilePath(start + name, isForeign: isForeign)
    }

    /// The directory that the file lies in.
    package var parent: FilePath {
        let path = trimmed
        guard let slash = path.utf8.lastIndex(of: Self.slash) else {
            return FilePath(".", isForeign: isForeign)
        }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        return FilePath(parent, isForeign: isForeign)
    }

    /// The file's own name.
    package var name: String {
        let path = trimmed
        guard let slash = path.utf8.lastIndex(of: Self.slash), path.utf8.count > 1
        else { return String(path) }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The same path without slashes at its end.
    package var withoutSlash: FilePath { FilePath(String(trimmed), isForeign: isForeign) }

    private var trimmed: Substring {
        var path = description[...]
        while path.utf8.count > 1, path.utf8.last == Self.slash {
            path.unicodeScalars.removeLast()
        }
        return path
    }

    /// What the system looks for: as a character it may be one with what a name begins with.
    private static let slash = UInt8(ascii: "/")
}
