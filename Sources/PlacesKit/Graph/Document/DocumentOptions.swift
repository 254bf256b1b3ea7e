public import Foundation
import PlacesBase

extension ManagedDocument {
    /// Options for opening a document, and for what it does by itself.
    ///
    /// ```swift
    /// var options = ManagedDocument.Options()
    /// options.autosave = .init(interval: .seconds(30))
    /// let document = try await ManagedDocument.open(at: url, model: model, options: options)
    /// ```
    public struct Options: Sendable {
        /// Who may read and write a new document's files; an existing document keeps its own.
        public var access = Access.standard
        /// The format of a new document's file snapshots; an existing document keeps its format.
        public var format = Format.json
        /// Whether to make a document if there is none.
        public var createsDocument = true
        /// Whether to open the document without locking it, while others may write it.
        ///
        /// Saves are refused, and no file is changed. What others save later shows after
        /// ``ManagedDocument/refresh()``, or by itself with ``followsWriter``. The identifier of an
        /// object that is inserted here is never that of one of the writer's.
        public var isReadOnly = false
        /// Whether a document that is open read-only shows by itself what another process saves.
        ///
        /// Each commit of the writer becomes a commit of ``ManagedDocument/store`` when it is in the files, some
        /// milliseconds after a `save()` of the document there, or after its log has the commit if it is shared. If that
        /// fails, ``ManagedDocument/state`` has the error.
        public var followsWriter = false
        /// What settles conflicts of commits that wait for a shared log with those of others that were first.
        ///
        /// By default, a property gets the value that reached the log last.
        public var sharedMergePolicy = MergePolicy.mergeByPropertyObjectTrump
        /// How long a shared log keeps commits that it does not need any more, since it has a base of a later one.
        ///
        /// Whoever was away for longer begins on the base, instead of making each commit again. The log has a new base
        /// when a document that shares it has written a file snapshot. By default, a week.
        public var sharedCommitAge = Duration.seconds(7 * 24 * 60 * 60)
        /// Whether a shared document exchanges commits with its log by itself.
        ///
        /// Otherwise, only ``DocumentSharing/synchronize()`` and `save(durability: .shared)` do so.
        public var synchronizesByItself = true
        /// How many of the commits that wait for a shared log have what they changed in memory, the last ones.
        ///
        /// The others have only their lines, from which it is made again. Of those that are in no file yet, four times as
        /// many have it.
        package var unsharedChangesLimit = 256
        /// How many rows of objects that are gone are cleared at once, at least, to be used again.
        package var rowsClearedAtOnce = 64
        /// The version of the model, and how to migrate documents of earlier versions.
        ///
        /// Opening a document of another model migrates it, and writes it as a whole before `open`
        /// returns. If it is opened read-only, it is migrated only in memory.
        public var migration = MigrationPlan()
        /// Whether to open a document of a newer model version read-only, instead of refusing it.
        ///
        /// The document does not show what the model does not know.
        public var opensNewerReadOnly = false
        /// When to save edits of the view context and write commits; `nil` for never.
        ///
        /// With `nil`, only `save`, `flush` and `close` do so.
        public var autosave: Autosave? = Autosave()
        /// How long the journal may get before a new file snapshot replaces it.
        public var journalLimit = JournalLimit()
        /// Whether to keep earlier file snapshots and journals, so that every commit can be read.
        public var keepsHistory = false
        /// How much of that is kept; all of it by default.
        public var historyLimit = HistoryLimit()
        /// Called when the bytes of an attribute with external storage cannot be read.
        ///
        /// The attribute then reads as if it had no bytes. The reading thread makes the call, until
        /// the document is closed. If several documents are open at one path, each makes the call.
        public var onUnreadableData: (@Sendable (ExternalStorageError) -> Void)?
        /// Called when the document is released without `close()` while there are unsaved changes.
        ///
        /// These are changes of the view context that no save wrote to a file. Without this
        /// closure, the document writes a line to standard error.
        public var onUnsavedChanges: (@Sendable (_ path: String) -> Void)?
        /// The progress of opening, in bytes to read and bytes read.
        ///
        /// The document updates it on a thread of its own.
        public var progress: Progress?
        /// Tells the time: it dates commits, and requests that depend on the time use it.
        public var now: @Sendable () -> Date = { Date() }
        /// The clock on which live results sleep until the time at which they change.
        public var clock: any Clock<Duration> = ContinuousClock()

        /// The usual options.
        public init() {}
    }

    /// When the document saves edits and writes commits to disk by itself.
    ///
    /// Edits are changes of the view context. The document saves them only if it was opened on an
    /// actor, such as the main actor: it can do so after each turn of the actor. If such a save
    /// breaks a rule of the model, the edits stay unsaved and ``ManagedDocument/state`` has the
    /// error. Changes of other contexts are not saved by themselves.
    public struct Autosave: Sendable {
        package var interval: Duration
        package var idle: Duration
        package var clock: any Clock<Duration>

        /// By default, writes one second after the last commit, at most ten after the first.
        ///
        /// - Parameters:
        ///   - interval: How long an edit, or a commit, waits at most.
        ///   - idle: How long nothing must have been edited, or committed, to do it earlier.
        ///   - clock: What measures both.
        public init(
            interval: Duration = .seconds(10), idle: Duration = .seconds(1),
            clock: any Clock<Duration> = ContinuousClock()
        ) {
            // NB: a clock of the system stops the process if it is to sleep longer than it counts.
            let year = Duration.seconds(366 * 24 * 60 * 60)
            self.interval = min(interval, year)
            self.idle = min(idle, year)
            self.clock = clock
        }
    }

    /// How long a journal may get, in bytes, before the document writes a new file snapshot.
    ///
    /// So much may also take the bytes with external storage that objects have lost; for them, those that objects have
    /// count as part of the file snapshot.
    public struct JournalLimit: Sendable {
        package var ratio: Double
        package var minimum: Int

        /// By default, as long as the file snapshot, and at least a megabyte.
        ///
        /// - Parameters:
        ///   - ratio: How long the journal may get as a part of the file snapshot's length; 1 for as long.
        ///   - minimum: How many bytes it may have in any case.
        public init(ratio: Double = 1, minimum: Int = 1 << 20) {
            self.ratio = ratio
            self.minimum = minimum
        }

        /// The length for a snapshot.
        func bytes(for snapshot: Int) -> Int {
            let share = Double(snapshot) * ratio
            return max(minimum, share < Double(Int.max) ? Int(max(0, share)) : .max)
        }
    }

    /// How much of its history a document keeps in its files.
    ///
    /// Each time that the document has written a file snapshot, it removes earlier ones, with the journals that
    /// follow them, as far as they are beyond a limit. The latest two always stay.
    public struct HistoryLimit: Sendable {
        package var age: Duration?
        package var byteCount: Int?

        /// Whether everything is kept.
        var isUnlimited: Bool { age == nil && byteCount == nil }

        /// By default, keeps everything.
        ///
        /// - Parameters:
        ///   - age: How long ago the last commit of what is removed was made, at least; `nil` for no limit.
        ///   - byteCount: How many bytes all file snapshots and journals may have; `nil` for no limit.
        public init(age: Duration? = nil, byteCount: Int? = nil) {
            self.age = age
            self.byteCount = byteCount
        }
    }

    /// Who may read and write the files of a new document.
    ///
    /// A file that replaces another one gets its permissions, its extended attributes and, if this
    /// process may change it, its owner.
    public enum Access: Sendable, Hashable {
        /// Everybody who may read and write other new files, by the `umask` of the process.
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
        /// In memory, where all contexts see it; the document writes it later.
        case memory
        /// Handed to the system: it survives the process, however that ends.
        case system
        /// On disk, after `fsync`: it survives a power cut.
        case disk
        /// In the log that the document is shared by, and so for all who share it.
        ///
        /// In a document that is not shared it is the same as `disk`.
        case shared
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
        try? Platform.withoutPipeSignal(from: STDERR_FILENO) {
            try FileHandle.standardError.write(contentsOf: Data(line.utf8))
        }
    }
}
