package import Foundation

/// The path of a file, as system calls take it.
package struct FilePath: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ path: String) {
        description = path
    }

    /// The path of a file URL.
    package init(_ url: URL) {
        description = url.path(percentEncoded: false)
    }

    /// The path of a file in the directory that this path names.
    package func appending(_ name: String) -> FilePath {
        FilePath(description.hasSuffix("/") ? description + name : description + "/" + name)
    }

    /// The directory that the file lies in.
    package var parent: FilePath {
        let path = trimmed
        guard let slash = path.lastIndex(of: "/") else { return FilePath(".") }
        return FilePath(slash == path.startIndex ? "/" : String(path[..<slash]))
    }

    /// The file's own name.
    package var name: String {
        let path = trimmed
        guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return String(path) }
        return String(path[path.index(after: slash)...])
    }

    private var trimmed: Substring {
        var path = description[...]
        while path.count > 1, path.last == "/" {
            path.removeLast()
        }
        return path
    }
}
