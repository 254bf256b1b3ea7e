import Foundation

/// Lets live results hear of the changes of a context and of the time, until it goes.
final class LiveSubscription {
    private let context: ManagedObjectContext
    private let listener: Int
    private let alarm: Int32

    /// Calls a closure with each batch of changes, and without any when the time has come that is set.
    init(_ context: ManagedObjectContext, _ follow: @escaping (ChangeSet?) -> Void) {
        self.context = context
        listener = context.addListener(follow)
        alarm = context.alarms.add { follow(nil) }
    }

    deinit {
        context.listeners.finish { [context, listener, alarm] in
            context.removeListener(listener)
            context.alarms.remove(alarm)
        }
    }

    /// Sets the time, if there is one that is known.
    func setAlarm(to time: Date?, isPolled: Bool) {
        context.alarms.set(alarm, to: time, isPolled: isPolled)
    }
}
