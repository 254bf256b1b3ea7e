/// Who may do what with a file, and what else the system keeps of it: what a file has that replaces
/// another.
package struct FileAttributes: Equatable, Sendable {
    /// The permissions, nine bits.
    package var mode: UInt32
    /// The numbers of the owner and of the group; `nil` for those of this process.
    package var owner: Owner?
    /// The extended attributes.
    package var extended: [String: [UInt8]] = [:]

    /// An owner and a group.
    package struct Owner: Equatable, Sendable {
        package var user: UInt32
        package var group: UInt32
    }

    /// The same for what also holds the content of another file: nobody can read it who could not read both.
    package func restricted(by other: FileAttributes?) -> FileAttributes {
        var attributes = self
        if let other { attributes.mode &= other.mode | 0o700 }
        return attributes
    }
}

extension FileAttributes {
    /// The attributes of an open file.
    package init?(of file: Int32) {
        guard let status = Platform.status(file) else { return nil }
        self.init(status)
        extended = Self.extended(of: file)
    }

    /// Attributes without those that only an open file tells.
    init(_ status: PlatformStatus) {
        mode = status.mode
        owner = Owner(user: status.owner, group: status.group)
    }

    /// Gives a file that was made with no more permissions than these all of them, as far as this process may.
    ///
    /// The file has no content yet, so it is of no use to whoever sees it meanwhile.
    package func apply(to file: Int32) {
        guard let found = Platform.status(file) else { return }
        var mode = mode
        if let owner, owner != Owner(user: found.owner, group: found.group),
            Platform.setOwner(file, owner.user, owner.group) != 0,
            // Who may not give it away may give it to another of his own groups.
            Platform.setOwner(file, found.owner, owner.group) != 0
        {
            // What the one group was allowed is not what another is.
            mode &= ~0o070
        }
        for (name, value) in extended { _ = Platform.setAttribute(file, name, value) }
        if mode != found.mode || owner != nil && !extended.isEmpty {
            _ = Platform.setMode(file, mode)
        }
    }

    private static func extended(of file: Int32) -> [String: [UInt8]] {
        let names = bytes { Platform.attributeNames(file, $0) }
        var attributes: [String: [UInt8]] = [:]
        for name in names.split(separator: 0) {
            let name = String(decoding: name, as: UTF8.self)
            attributes[name] = bytes { Platform.attribute(file, name, $0) }
        }
        return attributes
    }

    /// What a call fills a buffer with, whose first answer is how much that is.
    private static func bytes(_ call: (UnsafeMutableRawBufferPointer) -> Int) -> [UInt8] {
        let count = call(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = bytes.withUnsafeMutableBytes(call)
        return filled < 0 ? [] : Array(bytes.prefix(filled))
    }
}
