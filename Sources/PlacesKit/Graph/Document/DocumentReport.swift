/// What checking a document's files, or saving what can be saved of them, has found.
public struct DocumentReport: Sendable, Hashable {
    /// Something wrong with a file.
    public struct Problem: Sendable, Hashable {
        /// The file.
        public var file: String
        /// What is wrong, where, and what to do.
        public var description: String
    }

    /// What is wrong, in the order of the files.
    public var problems: [Problem] = []
    /// Whether the document opens nevertheless.
    public var canBeOpened = true
    /// The last commit that can be read.
    public var lastCommit = 0
    /// How many objects there are after it.
    public var objectCount = 0
    /// What opening would drop, or work around.
    public var recovery = DocumentRecovery()

    /// Whether all files are as they were written.
    public var isSound: Bool { problems.isEmpty && recovery.isEmpty && canBeOpened }
}
