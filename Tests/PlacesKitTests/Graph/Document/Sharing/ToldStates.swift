import Observation
import PlacesKit
import Synchronization

/// The states of which an observer of a shared document was told, as it found them then.
final class ToldStates: Sendable {
    private let sharing: DocumentSharing
    private let told = Mutex<[DocumentSharing.State]>([])

    init(_ sharing: DocumentSharing) { self.sharing = sharing }

    var states: [DocumentSharing.State] { told.withLock(\.self) }

    /// Hears of the next one.
    func observe() {
        withObservationTracking {
            _ = sharing.state
        } onChange: { [self] in
            told.withLock { $0.append(sharing.state) }
        }
    }
}
