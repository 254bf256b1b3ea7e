/// What the files of a folder have that only the system keeps: who may read and write them, whose they are, and
/// their extended attributes.
struct FolderAccess: Sendable {
    /// Of the folder, and of any in it; `nil` for those of anything new.
    var folder: FileAttributes?
    /// Of each file that comes.
    var file: FileAttributes?

    /// What a new file has that others make.
    static let standard = FolderAccess()
    /// What only the owner can read and write.
    static let privateToOwner = FolderAccess(
        folder: FileAttributes(mode: 0o700), file: FileAttributes(mode: 0o600))
}
