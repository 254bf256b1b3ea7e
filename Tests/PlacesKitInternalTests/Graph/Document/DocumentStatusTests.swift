import Observation
import Synchronization
import Testing

@testable import PlacesGraph

@Suite struct DocumentStatusTests {
    @Test func `whoever is told of a state finds it so, and not as it was`() {
        let status = DocumentStatus()
        let isDisabled = Mutex<Bool?>(nil)
        withObservationTracking {
            _ = status.current
        } onChange: {
            if case .editingDisabled = status.current {
                isDisabled.withLock { $0 = true }
            } else {
                isDisabled.withLock { $0 = false }
            }
        }
        status.set(.editingDisabled)
        #expect(isDisabled.withLock(\.self) == true)
    }

    @Test func `files that can be written again do not end that edits are unsaved`() {
        let status = DocumentStatus()
        let full = DocumentError.fileSystem(.failed(.write, path: "/journal", code: 28))
        status.setUnsaved(.unsaved(path: "/Notes", .readOnly))
        status.set(.savingError(full))
        #expect(status.hasFailed)
        status.endSavingError()
        guard case .savingError(.unsaved) = status.current else {
            Issue.record("It is \(status.current), though nothing was saved.")
            return
        }
        #expect(!status.hasFailed)

        status.set(.savingError(full))
        status.setUnsaved(nil)
        #expect(status.hasFailed)
        guard case .savingError(.fileSystem) = status.current else {
            Issue.record("It is \(status.current), though nothing was written.")
            return
        }
    }
}
