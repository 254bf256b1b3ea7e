/// What opening a document found wrong with its files, and what was done about it.
///
/// ```swift
/// for finding in document.recovery.findings { log("\(finding)") }
/// ```
/// An empty list is the rule. After a crash or a power cut the last thing that was written, and never
/// reported to be on disk, may be cut short.
public struct DocumentRecovery: Sendable, Hashable {
    /// One thing that was not as it should be.
    public enum Finding: Sendable, Hashable {
        /// The journal's last records were cut short by a crash, and dropped.
        case tornJournal(file: String, line: Int, byteOffset: Int, byteCount: Int, lastCommit: Int)
        /// A snapshot is damaged or missing; an earlier one and its journals were read instead.
        case unusableSnapshot(file: String, reason: String, usedInstead: String)
        /// What looks as if a crash had left it was not removed: it is not PlacesKit's, or for a reason.
        case leftover(file: String, reason: String?)
    }

    /// What was found, in the order in which the files were read.
    public var findings: [Finding] = []

    /// Whether all was well.
    public var isEmpty: Bool { findings.isEmpty }
}

extension DocumentRecovery.Finding: CustomStringConvertible {
    /// What is wrong, where, and what was kept.
    public var description: String {
        switch self {
        case .tornJournal(let file, let line, let byteOffset, let byteCount, let lastCommit):
            """
            \(file) was cut short in line \(line), at byte \(byteOffset): the last \(byteCount) bytes \
            are no whole record and were dropped. Everything up to commit \(lastCommit) was kept.
            """
        case .unusableSnapshot(let file, let reason, let usedInstead):
            """
            \(file) cannot be used: \(reason). Nothing is lost: \(usedInstead) and the journals after \
            it were read instead, and the next save writes a new snapshot.
            """
        case .leftover(let file, let reason):
            """
            \(file) looks as if a crash had left it, and stays: \
            \(reason ?? "it is not PlacesKit's"). Remove it if you do not need it.
            """
        }
    }
}
