import Observation
import Synchronization

/// Whether a document can be changed and saved, for whoever observes it, on any thread.
final class DocumentStatus: Sendable, Observable {
    private let state = Mutex(ManagedDocument.State.normal)
    private let registrar = ObservationRegistrar()

    /// The state now.
    var current: ManagedDocument.State {
        registrar.access(self, keyPath: \.current)
        return state.withLock(\.self)
    }

    /// Whether the last attempt to write files failed.
    var hasFailed: Bool {
        switch state.withLock(\.self) {
        case .savingError(.unsaved), .normal, .editingDisabled, .readingError: false
        case .savingError: true
        }
    }

    /// Ends the state of changes that could not be saved, if it is that.
    func endUnsavedChanges() {
        if case .savingError(.unsaved) = state.withLock(\.self) { set(.normal) }
    }

    /// Ends the state of a document that could not be read further, if it is that.
    func endReadingError() {
        if case .readingError = state.withLock(\.self) { set(.editingDisabled) }
    }

    /// Changes the state, and tells who observes it.
    func set(_ new: ManagedDocument.State) {
        state.withLock { $0 = new }
        // Told once it is so: whoever reads it on another thread meanwhile would see what it was, and hear no more.
        registrar.withMutation(of: self, keyPath: \.current) {}
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
