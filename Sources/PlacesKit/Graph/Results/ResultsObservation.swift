import Observation

/// Tells whoever read live results, where reads are being tracked, that they change.
///
/// NB: It is no part of the results themselves, for a key path literal among parameter packs stops the
/// program (Swift 6.3).
final class ResultsObservation: Observable {
    private let registrar = ObservationRegistrar()
    /// What stands for the results.
    private var results: Int { 0 }

    /// Notes that the results are read.
    func noteRead() { registrar.access(self, keyPath: \.results) }

    /// Changes the results.
    func change(_ body: () -> Void) {
        registrar.withMutation(of: self, keyPath: \.results, body)
    }
}
