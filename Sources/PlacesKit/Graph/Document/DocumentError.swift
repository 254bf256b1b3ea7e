import Foundation
public import PlacesBase

/// Why a document could not be opened or saved.
public enum DocumentError: DescribedError {
    /// There is something at the path, but it is not a document.
    case notADocument(path: String)
    /// There is no document at the path, and the options do not allow to make one.
    case missing(path: String)
    /// The document is open for writing already, in the process `holder` if that is known.
    case locked(path: String, holder: Int32?)
    /// A file of the document is damaged; nothing was changed.
    case damaged(file: String, JSONError)
    /// A file of the document is missing, or lacks the commits on which the next file builds.
    case incomplete(file: String)
    /// Nothing of the document can be read, not even by ``ManagedDocument/salvage(from:to:)``.
    case nothingToSalvage(path: String, reason: String)
    /// The document was written by a newer version of PlacesKit.
    case newerFormat(file: String, found: Int, supported: Int)
    /// The document was made with another model; each difference is a sentence.
    case differentModel(file: String, differences: [String])
    /// The document was made with a newer version of the model.
    case newerModel(path: String, found: Int, supported: Int)
    /// The document was made with another model and cannot be migrated; all reasons are listed.
    case migration(path: String, [MigrationError])
    /// Bytes of an attribute with external storage had to be copied, but cannot be read.
    case externalStorage(ExternalStorageError)
    /// The file system refused an operation.
    case fileSystem(FileSystemError)
    /// Autosave could not save the changes of the view context.
    case unsaved(path: String, ContextError)
    /// The document was closed.
    case closed(path: String)
    /// The document was opened read-only.
    case readOnly(path: String)
    /// The document is shared by a log, without which it cannot be changed.
    case shared(path: String)
    /// A document that was saved without a shared log can't join one.
    case notShared(path: String, reason: String)
    /// What was saved could not be made on top of what others committed first; it is among the conflicts.
    case refused(path: String, reason: String)
    /// The shared log does not have a commit that the document was made of, or has another one in its place.
    case differentLog(path: String, commit: Int)
    /// The folder of a shared document is a copy, or was restored from a backup: others have its numbers.
    case copied(path: String)
    /// The files are those of another document by now, or of an earlier state of this one, or somebody else may
    /// write them.
    case replaced(path: String)

    /// What is wrong, where, and what to do.
    public var description: String {
        switch self {
        case .notADocument(let path):
            """
            \(path) is not a PlacesKit document: it has no manifest.json. Choose a document, an \
            empty folder, or a path where nothing is yet.
            """
        case .missing(let path):
            "There is no document at \(path). Check the path, or let it be made."
        case .locked(let path, let holder) where holder == ProcessInfo.processInfo.processIdentifier:
            """
            \(path) is open for writing in this process already. Use that document, or close it \
            first. If it was released without close(), let go of its sharing and its changes, too.
            """
        case .locked(let path, let holder):
            """
            \(path) is open for writing \(holder.map { "in process \($0)" } ?? "elsewhere"). Close \
            it there first.
            """
        case .damaged(let file, let error):
            """
            \(file) is damaged at \(error.description). Nothing was changed; restore the file from a \
            backup, mend what is wrong there in an editor, or let ManagedDocument.salvage(from:to:) \
            make a new document of what can be read.
            """
        case .incomplete(let file):
            """
            \(file) is missing, or ends before the file that goes on from it. Restore it from a backup, \
            or let ManagedDocument.salvage(from:to:) make a new document of what can be read.
            """
        case .nothingToSalvage(let path, let reason):
            """
            Nothing of \(path) can be read: \(reason). No new document was made. Restore the folder from a backup.
            """
        case .newerFormat(let file, let found, let supported):
            """
            \(file) has format \(found), and this version of PlacesKit reads formats up to \
            \(supported). Update PlacesKit to open it.
            """
        case .differentModel(let file, let differences):
            """
            \(file) was made with another model: \(differences.joined(separator: "; ")). Open it \
            with the classes that it was made with.
            """
        case .newerModel(let path, let found, let supported):
            """
            \(path) was made with version \(found) of the model, and this is version \(supported). \
            Update the app to change it; with options.opensNewerReadOnly it can be read.
            """
        case .migration(let path, let errors):
            """
            \(path) was made with another model, and is as it was: \
            \(errors.map(\.description).joined(separator: "\n"))
            """
        case .externalStorage(let error): error.description
        case .fileSystem(let error): error.description
        case .unsaved(let path, let error):
            """
            The changes of the view context of \(path) are in no file: \(error.description) Change what is \
            wrong, or let rollback() drop them.
            """
        case .closed(let path):
            "The document \(path) is closed. Open it again before saving."
        case .readOnly(let path):
            "The document \(path) is open read-only. Open it for writing to change its files."
        case .shared(let path):
            """
            The document \(path) is shared with others by a log. Open it with that log, or read-only; to have it \
            elsewhere, copy it by duplicate(to:).
            """
        case .notShared(let path, let reason):
            """
            The document \(path) was saved without a shared log, and can't join one: \(reason). Share a new document \
            by the log, and copy the objects into it.
            """
        case .refused(let path, let reason):
            """
            Others who share \(path) were first, and what was saved here no longer fits: \(reason) It is \
            kept among document.sharing.conflicts; look at what changed, and save it in another way.
            """
        case .differentLog(let path, let commit):
            """
            The document \(path) was shared by another log, or its log has lost commits, as after a backup: commit \
            \(commit) is not there as it is here. Open the document with its own log; or share a new one, and copy into \
            it what only this one has.
            """
        case .copied(let path):
            """
            The folder \(path) was copied, or restored from a backup: the shared log has objects with the numbers that are \
            given out here. What was saved since it was opened is in the folder, and not shared. Open the document again \
            while the log is in reach: it gets other numbers, and shares what waits.
            """
        case .replaced(let path):
            """
            The files at \(path) are those of another document, or of an earlier state, such as a backup, or \
            somebody removed the file named lock. What was read before stays as it is; open the document anew \
            to see them, save it at another path, or copy it there by duplicate(to:) if it is shared. To close it \
            without what could not be written, call revert() before.
            """
        }
    }
}

extension DocumentError {
    /// The error of a document's files, by its type.
    init(_ error: any Error) {
        switch error {
        case let error as DocumentError: self = error
        case let error as FileSystemError: self = .fileSystem(error)
        case let error as ExternalStorageError: self = .externalStorage(error)
        case let error as JSONError: self = .damaged(file: Self.anyFile, error)
        default:
            // Nothing throws such an error by now; but nothing that is read may stop the program.
            let kind = JSONError.Kind.invalidValue(expected: "what can be read, not \(error)")
            self = .damaged(
                file: Self.anyFile, JSONError(kind: kind, line: 1, column: 1, byteOffset: 0))
        }
    }

    /// What is wrong, where nothing else is left of a document that was to be salvaged: to do that is no advice then.
    func afterSalvage(of path: FilePath) -> DocumentError {
        switch self {
        case .damaged(let file, let error):
            .nothingToSalvage(
                path: path.description, reason: "\(file) is damaged at \(error.description)")
        case .incomplete(let file):
            .nothingToSalvage(path: path.description, reason: "\(file) is missing")
        default: self
        }
    }

    /// Stands for the name of a file where nobody said which it is.
    private static let anyFile = "A file of the document"
}
