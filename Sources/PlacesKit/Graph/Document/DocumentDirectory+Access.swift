import PlacesBase

extension DocumentDirectory {
    /// What new files have.
    var access: FolderAccess { blobs.access }

    /// Looks what the newest files have, as those that come are to have it.
    ///
    /// A snapshot holds what journals do, and blobs hold values of both.
    ///
    /// - Returns: What new files have from now on.
    @discardableResult
    func updateAccess() -> FolderAccess {
        let (snapshots, journals) = (try? generations()) ?? ([], [])
        let snapshot = snapshots.last.flatMap { files.attributes(of: self.snapshot($0)) }
        let journal = journals.last.flatMap { files.attributes(of: self.journal($0)) }
        guard let file = snapshot?.restricted(by: journal) else { return access }
        var folder = files.attributes(of: path)?.restricted(
            by: blobs.files.attributes(of: blobs.path), keeping: 0o700)
        // Lists of who may do what, which the system keeps so; the rest is the folder's own.
        if let extended = folder?.extended {
            folder?.extended = extended.filter { $0.key.hasPrefix("system.") }
        }
        blobs.setAccess(FolderAccess(folder: folder, file: file))
        return access
    }
}
