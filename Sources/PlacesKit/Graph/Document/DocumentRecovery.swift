import PlacesBase

/// What opening a document did about files that are not as they should be.
///
/// ```swift
/// for finding in document.recovery.findings { log("\(finding)") }
/// ```
/// Usually the list is empty. After a crash or a power cut the last write may be cut short, if it
/// was never reported to be on disk.
public struct DocumentRecovery: Sendable, Hashable {
    /// One problem and how it was handled.
    public struct Finding: CustomStringConvertible, Sendable, Hashable {
        /// What is wrong, where, and what was kept.
        public let description: String
    }

    /// The findings, in the order in which the files were read.
    public var findings: [Finding] = []

    /// Whether nothing was found.
    public var isEmpty: Bool { findings.isEmpty }
}

extension DocumentRecovery.Finding {
    /// A crash cut the journal's last records short, and they were dropped.
    package static func tornJournal(
        file: String, line: Int, byteOffset: Int, byteCount: Int, lastCommit: Int
    ) -> Self {
        Self(
            description: """
                \(file) was cut short in line \(line), at byte \(byteOffset): its end, \
                \(byteCount.counted("byte")), is no whole record and was dropped. Everything up to commit \
                \(lastCommit) was kept.
                """)
    }

    /// A snapshot is damaged or missing; an earlier one and its journals were read instead.
    package static func unusableSnapshot(
        file: String, reason: String, usedInstead: String
    ) -> Self {
        Self(
            description: """
                \(file) cannot be used: \(reason). Nothing is lost: \(usedInstead) and the journals after \
                it were read instead, and the next save writes a new snapshot.
                """)
    }

    /// There are neither a manifest nor the journal that goes with it.
    package static func snapshotAlone(file: String, journal: String) -> Self {
        Self(
            description: """
                \(file) has neither manifest.json nor \(journal) beside it. What they said of later commits is \
                not there; what the file has was kept, and commits are counted from 0 again. Restore both from a \
                backup if you have them.
                """)
    }

    /// What looks as if a crash had left it was not removed: it is not PlacesKit's, or for a reason.
    package static func leftover(file: String, reason: String?) -> Self {
        Self(
            description: """
                \(file) looks as if a crash had left it, and stays: \
                \(reason ?? "it is not PlacesKit's"). Remove it if you do not need it.
                """)
    }
}
