/// The permissions, owner and extended attributes of a file; its replacement takes them over.
package struct FileAttributes: Equatable, Sendable {
    /// The nine bits of the permissions.
    package var mode: UInt32
    /// The numbers of the owner and the group; `nil` for those of this process.
    package var owner: Owner?
    /// The extended attributes.
    package var extended: [String: [UInt8]] = [:]

    /// An owner and a group.
    package struct Owner: Equatable, Sendable {
        package var user: UInt32
        package var group: UInt32
    }

    /// These attributes for a file that also holds the content of another file.
    ///
    /// Only users who may read both files may read it; its owner may read and write it, or nobody could go on with it.
    ///
    /// - Parameters:
    ///   - other: The attributes of the other file.
    ///   - owner: What the owner may do in any case; in a folder also find files.
    /// - Returns: The attributes.
    package func restricted(
        by other: FileAttributes?, keeping owner: UInt32 = 0o600
    ) -> FileAttributes {
        var attributes = self
        if let other { attributes.mode &= other.mode | 0o700 }
        attributes.mode |= owner
        return attributes
    }
}

extension FileAttributes {
    /// Reads the attributes of an open file.
    package init?(of file: Int32) {
        guard let status = Platform.status(file) else { return nil }
        self.init(status)
        extended = Self.extended(of: file)
    }

    /// Creates attributes without the extended ones, which only an open file has.
    init(_ status: PlatformStatus) {
        mode = status.mode
        owner = Owner(user: status.owner, group: status.group)
    }

    /// Gives a new file these attributes, as far as this process may.
    ///
    /// The file was made with no more permissions than these, and is still empty, so nobody gains
    /// anything by opening it meanwhile.
    package func apply(to file: Int32) {
        guard let found = Platform.status(file) else { return }
        var mode = mode
        if let owner, owner != Owner(user: found.owner, group: found.group),
            Platform.setOwner(file, owner.user, owner.group) != 0,
            // A process that may not change the owner may still change the group to another of its
            // own.
            Platform.setOwner(file, found.owner, owner.group) != 0
        {
            // The new file has another group, to which the old group's permissions were not given.
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

    /// The bytes from a system call, which returns their number when it is called without a buffer.
    private static func bytes(_ call: (UnsafeMutableRawBufferPointer) -> Int) -> [UInt8] {
        let count = call(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = bytes.withUnsafeMutableBytes(call)
        return filled < 0 ? [] : Array(bytes.prefix(filled))
    }
}
