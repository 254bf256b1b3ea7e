/// The result of checking or salvaging a document.
public struct DocumentReport: Sendable, Hashable {
    /// A problem of a file.
    public struct Problem: Sendable, Hashable {
        /// The file.
        public var file: String
        /// What is wrong, where, and what to do.
        public var description: String
    }

    /// The problems, in the order of the files.
    public var problems: [Problem] = []
    /// Whether the document opens in spite of the problems.
    public var canBeOpened = true
    /// The last commit that can be read.
    public var lastCommit = 0
    /// How many commits, the last ones, wait for the log of a shared document.
    public var waitingCount = 0
    /// The number of objects after the last commit.
    public var objectCount = 0
    /// What opening the document would drop or work around.
    public var recovery = DocumentRecovery()

    /// Whether all files are as they were written.
    ///
    /// A record that a failing disk cut short is not told once a later generation has begun as a whole.
    public var isSound: Bool { problems.isEmpty && recovery.isEmpty && canBeOpened }
}
