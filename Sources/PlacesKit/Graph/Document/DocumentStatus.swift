import Observation
import Synchronization

/// Whether a document can be changed and saved, for whoever observes it, on any thread.
final class DocumentStatus: Sendable, Observable {
    /// What is known of the files, and of the view context: what ends an error of the one says nothing of the other.
    private struct Known {
        var files = ManagedDocument.State.normal
        /// Why the changes of the view context could not be saved.
        var unsaved: DocumentError?
    }

    private let known = Mutex(Known())
    private let registrar = ObservationRegistrar()

    /// The state now.
    var current: ManagedDocument.State {
        registrar.access(self, keyPath: \.current)
        let known = known.withLock(\.self)
        if case .normal = known.files, let unsaved = known.unsaved { return .savingError(unsaved) }
        return known.files
    }

    /// Whether the last attempt to write files failed.
    var hasFailed: Bool {
        if case .savingError = known.withLock(\.files) { true } else { false }
    }

    /// Ends the state of files that could not be written, if it is that.
    func endSavingError() {
        change {
            guard case .savingError = $0.files else { return false }
            $0.files = .normal
            return true
        }
    }

    /// Ends the state of a document that could not be read further, if it is that.
    func endReadingError() {
        change {
            guard case .readingError = $0.files else { return false }
            $0.files = .editingDisabled
            return true
        }
    }

    /// Notes why the changes of the view context could not be saved; `nil` where they were.
    func setUnsaved(_ error: DocumentError?) {
        change {
            if error == nil, $0.unsaved == nil { return false }
            $0.unsaved = error
            return true
        }
    }

    /// Changes the state of the files, and tells who observes it.
    func set(_ new: ManagedDocument.State) {
        change {
            $0.files = new
            return true
        }
    }

    private func change(_ body: (inout Known) -> Bool) {
        // Given out, so that nothing is freed under the lock.
        let (former, isChanged) = known.withLock { known in (known, body(&known)) }
        withExtendedLifetime(former) {}
        // Told once it is so: whoever reads it on another thread meanwhile would see what it was, and hear no more.
        if isChanged { registrar.withMutation(of: self, keyPath: \.current) {} }
    }
}

extension ManagedDocument {
    /// Whether a document can be changed and saved.
    public enum State: Sendable {
        /// The document can be changed and saved.
        case normal
        /// Saves are refused, because the document was opened read-only or is closed.
        case editingDisabled
        /// The last attempt to save failed. Nothing is lost; the next save tries again.
        case savingError(DocumentError)
        /// The document follows its writer, and the last attempt to read what was committed failed. It shows what
        /// was committed before; the next change of the files, or ``ManagedDocument/refresh()``, is another attempt.
        case readingError(DocumentError)
    }
}
