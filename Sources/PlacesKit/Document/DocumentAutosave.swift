/// Brings commits to disk some time after they were made, off everybody's actor.
struct DocumentAutosave {
    /// Writes what a writer's store commits, until the log is finished or the writer gone.
    static func start(
        _ writer: DocumentWriter, _ options: ManagedDocument.Autosave
    ) -> Task<Void, Never> {
        let log = writer.log
        return Task.detached { [weak writer] in
            for await _ in log.signals {
                var isDone = false
                while !isDone, !Task.isCancelled {
                    guard await waitForPause(log, options), log.isBehind else { break }
                    guard let writer else { return }
                    // What failed is shown by the document's state, and tried again.
                    isDone = (try? await writer.queue.run { try writer.write(.disk) }) != nil
                    if !isDone { try? await options.clock.sleep(for: options.interval) }
                }
            }
        }
    }

    /// Returns when nothing was committed for a while, or the longest time has passed; false if the task
    /// was cancelled.
    private static func waitForPause(
        _ log: CommitLog, _ options: ManagedDocument.Autosave
    ) async -> Bool {
        var waited = Duration.zero
        while waited < options.interval {
            let latest = log.latest
            let pause = min(options.idle, options.interval - waited)
            guard (try? await options.clock.sleep(for: pause)) != nil else { return false }
            waited += pause
            if log.latest == latest || pause <= .zero { break }
        }
        return true
    }
}
