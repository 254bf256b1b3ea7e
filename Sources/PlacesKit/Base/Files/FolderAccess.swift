/// The permissions, owner and extended attributes of the files in a folder.
package struct FolderAccess: Sendable {
    /// The attributes of the folder and any folder in it; `nil` for those of anything new.
    package var folder: FileAttributes?
    /// The attributes of each new file; `nil` for those of anything new.
    package var file: FileAttributes?

    package init(folder: FileAttributes? = nil, file: FileAttributes? = nil) {
        self.folder = folder
        self.file = file
    }

    /// The access that any new folder or file has.
    package static let standard = FolderAccess()
    /// Only the owner can read and write.
    package static let privateToOwner = FolderAccess(
        folder: FileAttributes(mode: 0o700), file: FileAttributes(mode: 0o600))
}
