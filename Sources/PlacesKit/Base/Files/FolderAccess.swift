/// What the files of a folder have that only the system keeps: who may read and write them, whose they are, and
/// their extended attributes.
package struct FolderAccess: Sendable {
    /// Of the folder, and of any in it; `nil` for those of anything new.
    package var folder: FileAttributes?
    /// Of each file that comes.
    package var file: FileAttributes?

    package init(folder: FileAttributes? = nil, file: FileAttributes? = nil) {
        self.folder = folder
        self.file = file
    }

    /// What a new file has that others make.
    package static let standard = FolderAccess()
    /// What only the owner can read and write.
    package static let privateToOwner = FolderAccess(
        folder: FileAttributes(mode: 0o700), file: FileAttributes(mode: 0o600))
}
