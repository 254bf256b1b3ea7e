import PlacesBase
import Synchronization

/// Brings commits to disk some time after they were made, off everybody's actor.
struct DocumentAutosave {
    /// How long a write that failed waits at least until it is tried again: a full disk stays full for a while.
    private static let shortestRetry = Duration.seconds(1)

    /// Writes what a writer's store commits, until the log is finished or the writer gone.
    static func start(
        _ writer: DocumentWriter, _ options: ManagedDocument.Autosave
    ) -> Task<Void, Never> {
        // It holds no log, which has a graph, and with it bytes in files of their own.
        Task.detached { [weak writer, signals = writer.log.signals] in
            for await _ in signals {
                while !Task.isCancelled {
                    let isPaused = await options.waitForPause {
                        [writer?.log.latest, (writer?.outbox?.latest?.sequence).map(Int.init)]
                    }
                    guard let writer else { return }
                    guard isPaused, writer.isBehind else { break }
                    // What failed is shown by the document's state, and tried again.
                    let written: Void? = try? await writer.queue.run {
                        try writer.writeIfOpen(.disk)
                    }
                    guard written == nil else { break }
                    try? await options.clock.sleep(for: max(options.interval, shortestRetry))
                }
            }
        }
    }

    /// Keeps commits that many others follow from filling the memory: hands them to the system, or seals them where nothing
    /// is written by itself, or can't be; until the log is finished or the writer gone.
    static func startRelief(of writer: DocumentWriter, writes: Bool) {
        Task.detached { [weak writer, crowds = writer.log.crowds] in
            for await _ in crowds {
                guard let writer else { return }
                if writes, !writer.status.hasFailed {
                    try? await writer.queue.run { try writer.writeIfOpen(.system) }
                }
                if !writes || writer.status.hasFailed { writer.log.seal() }
            }
        }
    }

    /// Saves what is edited in a context of an actor, and what no save took, until the task is cancelled or
    /// the context gone.
    static func start(
        edits context: ManagedObjectContext, of writer: DocumentWriter,
        _ options: ManagedDocument.Autosave
    ) -> Task<Void, Never>? {
        // Where the context has no actor, nobody knows when it may be touched.
        guard let turns = context.listeners.turns else { return nil }
        let edits = EditedTurns()
        let (signals, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        turns.onEnd = {
            edits.count.add(1, ordering: .relaxed)
            continuation.yield()
        }
        turns.onRefresh = { continuation.yield() }
        turns.onSettled = { [status = writer.status] in status.setUnsaved(nil) }
        context.announceChanges()
        // It waits beside the actor, which would not go while something of its own waits.
        return Task.detached { [weak writer, status = writer.status] in
            for await _ in signals {
                guard
                    await options.waitForPause(of: { edits.count.load(ordering: .relaxed) })
                else { return }
                turns.run { [weak writer] context in
                    // A document that closes takes no more saves; if it can't be closed, there is another signal.
                    guard !context.store.isReadOnly else { return }
                    do throws(ContextError) {
                        if context.hasChanges {
                            try context.save()
                        } else {
                            context.dropUndone()
                            status.setUnsaved(nil)
                        }
                    } catch {
                        // They stay what they are, and are tried again when they or what others saved changed.
                        guard let writer else { return }
                        status.setUnsaved(
                            .unsaved(path: writer.directory.path.description, error))
                    }
                }
            }
        }
    }
}

/// How many turns there were in which something was edited.
private final class EditedTurns: Sendable {
    let count = Atomic(0)
}

extension ManagedDocument.Autosave {
    /// Returns when what is measured stays for a while, or the longest time has passed; false if the task
    /// was cancelled.
    fileprivate nonisolated(nonsending) func waitForPause<Measure: Equatable>(
        of measure: () -> Measure
    ) async -> Bool {
        var waited = Duration.zero
        while waited < interval {
            let latest = measure()
            let pause = min(idle, interval - waited)
            guard (try? await clock.sleep(for: pause)) != nil else { return false }
            waited += pause
            if measure() == latest || pause <= .zero { break }
        }
        return true
    }
}
