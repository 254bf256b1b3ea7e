import PlacesBase
import Synchronization

/// The turns of the actor on which a context is used: from any thread one may ask for what is to be done in the next.
///
/// - When a turn ends in which something was changed, the changes are processed at the beginning of the next one.
/// - What is asked for several times before its turn is done once.
/// - Neither the actor nor the context is kept by what waits for a turn that nobody asked for yet: most often the actor
///   owns the context, and both go when nobody else has the actor.
final class ContextTurns: Sendable {
    /// What a turn is for.
    struct Work: OptionSet {
        let rawValue: UInt8

        /// Listeners are told of what was changed, and of the time.
        static let processing = Work(rawValue: 1)
        /// What others committed shows in the context, if that is to happen by itself.
        static let merging = Work(rawValue: 2)
    }

    private let asked = Atomic<Work.RawValue>(0)
    private let priority: TaskPriority
    nonisolated(unsafe) private weak var actor: (any Actor)?
    private let isOfMainActor: Bool
    // Safe: set before anybody else has the turns, and read on the actor.
    nonisolated(unsafe) weak var state: ContextState?
    // Safe: all are on the actor.
    /// Called when the changes of a turn were processed.
    nonisolated(unsafe) var onEnd: (() -> Void)?
    /// Called when changes were dropped, or stand on what others saved: a save of them may do other than before.
    nonisolated(unsafe) var onRefresh: (() -> Void)?
    /// Called when all changes were saved, or dropped.
    nonisolated(unsafe) var onSettled: (() -> Void)?

    /// None where there is no actor.
    init?(of isolation: (any Actor)?) {
        guard let isolation else { return nil }
        actor = isolation
        isOfMainActor = isolation === MainActor.shared
        priority = Task.currentPriority
    }

    /// Asks for work in the actor's next turn.
    func ask(for work: Work) {
        guard let actor,
            asked.bitwiseOr(work.rawValue, ordering: .acquiringAndReleasing).oldValue == 0
        else { return }
        begin(on: actor) { [self] in
            // Held meanwhile, for what each of them does.
            let context = state?.context
            let work = Work(rawValue: asked.exchange(0, ordering: .acquiringAndReleasing))
            if work.contains(.processing) {
                context?.processPendingChanges()
                onEnd?()
            }
            if work.contains(.merging) { context?.mergeAutomatically() }
        }
    }

    /// Does something with the context in a turn of its own, as the next of what the actor has to do.
    func run(_ work: @escaping @Sendable (ManagedObjectContext) -> Void) {
        guard let actor else { return }
        begin(on: actor) { [self] in
            if let context = state?.context { work(context) }
        }
    }

    /// Does what belongs to the end of something that the actor owned, and that may end on any thread.
    ///
    /// In a turn of the actor's, unless this is known to be one: that is known of the main actor's. Where nobody has the
    /// actor any more, nobody else can be at work on what it owned.
    func finish(_ work: @escaping () -> Void) {
        guard let actor, !isOfMainActor || !MainQueue.isCurrent else { return work() }
        // Safe: nobody but the actor comes to what it touches.
        nonisolated(unsafe) let work = work
        begin(on: actor) { work() }
    }

    private func begin(on actor: any Actor, _ work: @escaping @Sendable () -> Void) {
        let begin: (isolated any Actor) -> Void = { [priority] actor in
            Task(priority: priority) {
                _ = actor
                work()
            }
        }
        // Safe: it touches nothing of the actor's. Only a task that is made as if on the actor is its next one; any
        // other gets there by way of another thread, later than what the actor was asked for since.
        unsafeBitCast(begin, to: ((any Actor) -> Void).self)(actor)
    }
}
