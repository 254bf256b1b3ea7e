import Dispatch

/// Tells whether code runs where the main actor's does.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the main queue runs the caller, on whichever thread: on Linux it does not stay on the first one.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
