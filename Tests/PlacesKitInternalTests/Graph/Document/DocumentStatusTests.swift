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
}
