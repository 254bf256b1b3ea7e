import PlacesBase

/// A file to which a document's commits are added: its journal, or that of the commits that wait for a log.
struct OpenCommitFile {
    let file: any WritableFile
    /// How many bytes it has.
    var count: Int
    let path: FilePath
    private let files: any FileSystem
    /// Tells it from another file that took its name; `nil` if that is not known.
    private let identity: FileIdentity?
    /// Whether somebody put another file there, or removed it, while it was opened: then it may be any of them.
    private let isOther: Bool

    init(
        _ generation: Int64, of directory: DocumentDirectory, count: Int
    ) throws(FileSystemError) {
        try self.init(at: directory.journal(generation), of: directory, count: count)
    }

    init(
        at path: FilePath, of directory: DocumentDirectory, count: Int
    ) throws(FileSystemError) {
        (self.path, files) = (path, directory.files)
        identity = files.identity(of: path)
        file = try files.open(path, mode: .append)
        // A file that is missing is made by that.
        isOther = files.identity(of: path) != identity
        self.count = count
    }

    /// Whether it still is the file of its name, so that who opens the document finds what is added to it.
    ///
    /// A program that keeps folders in step may have put another one in its place, even if that has the same bytes.
    ///
    /// - Throws: `DocumentError.replaced` where somebody else has written it.
    func isInPlace() throws(DocumentError) -> Bool {
        if isOther { return false }
        guard let identity else { return true }
        guard let version = files.version(of: path), version.identity == identity else {
            return false
        }
        guard version.size == count else {
            throw .replaced(path: path.parent.description)
        }
        return true
    }
}
