public import Foundation
import PlacesBase

extension ManagedDocument {
    /// How a document is opened, and what it does by itself.
    ///
    /// ```swift
    /// var options = ManagedDocument.Options()
    /// options.autosave = .init(interval: .seconds(30))
    /// let document = try await ManagedDocument.open(at: url, model: model, options: options)
    /// ```
    public struct Options: Sendable {
        /// Who may read and write the files of a new document; one that there is keeps its own.
        public var access = Access.standard
        /// What the snapshots of a new document are written as; one that there is keeps its own.
        public var format = Format.json
        /// Whether to make the document where there is none.
        public var createsDocument = true
        /// Whether to open it without its lock, while somebody else may be writing it.
        ///
        /// Saves are refused, and no file is touched. What others save later is not seen.
        public var isReadOnly = false
        /// Which version of the model the classes are, and how documents of earlier ones are migrated.
        ///
        /// A document of another model is migrated when it is opened, and written as a whole before
        /// anybody sees it; opened read-only it is migrated in memory.
        public var migration = MigrationPlan()
        /// Whether a document of a newer version of the model is opened read-only, and not refused.
        ///
        /// What the model does not know is not seen.
        public var opensNewerReadOnly = false
        /// When edits of the view context are saved, and commits written, by themselves; `nil` leaves it to
        /// `save`, `flush` and `close`.
        public var autosave: Autosave? = Autosave()
        /// When a new snapshot replaces a long journal.
        public var journalLimit = JournalLimit()
        /// Whether earlier snapshots and journals stay, so that every commit can be read again.
        public var keepsHistory = false
        /// Is told when the bytes of an attribute with external storage cannot be read, which reads as
        /// if it had none then.
        ///
        /// It is called on the thread that reads, until the document is closed. Of documents that are open
        /// at one path each is told.
        public var onUnreadableData: (@Sendable (ExternalStorageError) -> Void)?
        /// Is told that the document was dropped, and not closed, while the view context had changes that no
        /// save took: they are in no file.
        ///
        /// Unless somebody is told, a line on standard error says so.
        public var onUnsavedChanges: (@Sendable (_ path: String) -> Void)?
        /// Is told how many bytes there are to read, and how many were read, while the document opens.
        ///
        /// It is changed on a thread of the document's own.
        public var progress: Progress?
        /// Tells the time: when commits are made, and what requests mean by now.
        public var now: @Sendable () -> Date = { Date() }
        /// What live results sleep on until the time at which they change.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// The usual options.
        public init() {}
    }

    /// When edits are saved, and commits brought to disk, by themselves.
    ///
    /// Edits are those of the view context, if the document was opened on an actor, as by code of the main
    /// actor: after each of the actor's turns there is a moment at which they may be saved. A save that
    /// breaks a rule of the model leaves them as they are, and ``ManagedDocument/state`` tells. Changes of
    /// other contexts are theirs to save.
    public struct Autosave: Sendable {
        /// How long an edit, or a commit, waits at most.
        package var interval: Duration
        /// How long nothing must have been edited, or committed, to do it earlier.
        package var idle: Duration
        /// What measures both.
        package var clock: any Clock<Duration>

        /// Writes a second after the last commit, and no later than ten seconds after the first.
        public init(
            interval: Duration = .seconds(10), idle: Duration = .seconds(1),
            clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.interval = interval
            self.idle = idle
            self.clock = clock
        }
    }

    /// How long a journal may get, in bytes, before a snapshot is written in the background.
    public struct JournalLimit: Sendable {
        /// The part of the snapshot's length that the journal may have.
        package var ratio: Double
        /// What it may have in any case.
        package var minimum: Int

        /// As long as the snapshot, and a megabyte at least.
        public init(ratio: Double = 1, minimum: Int = 1 << 20) {
            self.ratio = ratio
            self.minimum = minimum
        }

        /// The length for a snapshot.
        func bytes(for snapshot: Int) -> Int {
            let share = Double(snapshot) * ratio
            return max(minimum, share < 1e18 ? Int(max(0, share)) : .max)
        }
    }

    /// Who may read and write the files of a new document.
    ///
    /// Files that replace others have their permissions, their extended attributes and, as far as this
    /// process may give them away, their owner.
    public enum Access: Sendable, Hashable {
        /// Whoever may read and write other new files: what the process's `umask` leaves.
        case standard
        /// The owner alone.
        case privateToOwner

        /// What the files have.
        var ofFiles: FolderAccess {
            switch self {
            case .standard: .standard
            case .privateToOwner: .privateToOwner
            }
        }
    }

    /// How safe a save is when it returns.
    public enum Durability: Sendable, Hashable {
        /// In memory: all contexts see it. It is written in the background, or by the next save.
        case memory
        /// Handed to the system: it outlasts the process, however that ends.
        case system
        /// On disk, after `fsync`: it outlasts a power cut.
        case disk
    }
}

extension ManagedDocument.Options {
    /// Tells whoever is to be told that changes of a document that is gone were not saved.
    func tellUnsavedChanges(of path: FilePath) {
        if let onUnsavedChanges { return onUnsavedChanges(path.description) }
        let line = """
            PlacesKit: the document \(path) was dropped while its view context had changes that no save took; \
            they are in no file. Close a document, or save it, before the last reference goes.\n
            """
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
