public import Foundation
public import Observation
import PlacesBase
import Synchronization

/// Shares the commits of a document with other processes by a ``SharedLog``.
///
/// ```swift
/// let document = try await ManagedDocument.open(at: url, model: [Place.self], sharing: log)
/// try await document.save(durability: .shared)
/// ```
/// A save shows in this process at once. Its commit waits in the document's folder until the log has it. What others
/// commit becomes a commit of ``ManagedDocument/store``, with its date and author. If others were first, the commits that
/// wait are made again on top of what they committed, with ``ManagedDocument/Options/sharedMergePolicy`` and the rules of
/// the model. What then can't be made is among the ``conflicts``.
///
/// All of that happens by itself, on threads of its own. See <doc:Sharing>.
public final class DocumentSharing: Sendable, Observable {
    /// How far a document is with its log.
    public enum State: Sendable, Hashable {
        /// The log has all commits of this process, and this process all that it was told of.
        case upToDate
        /// So many commits of this process wait for the log.
        case behind(Int)
        /// The log could not be reached, or the folder not written, for the first time at a date; the document tries again
        /// by itself.
        case offline(since: Date, reason: String)
        /// What the log has can't be read, or the folder became another document's; nothing is shared by itself until the
        /// document is opened again, or ``DocumentSharing/synchronize()`` succeeds.
        case stopped(reason: String)
    }

    private let log: any SharedLog
    private let writer: DocumentWriter
    private let outbox: Outbox
    private let exchange: LogExchange
    private let turns = Turnstile()
    private let shown = Mutex(State.upToDate)
    private let registrar = ObservationRegistrar()
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let offers: AsyncStream<Void>
    private let offer: AsyncStream<Void>.Continuation
    private let tasks = Mutex<[Task<Void, Never>]>([])
    /// The token of the listener that shows how many commits wait.
    private let observer = Mutex<Int?>(nil)

    init(_ log: any SharedLog, _ writer: DocumentWriter, _ outbox: Outbox) {
        (self.log, self.writer, self.outbox) = (log, writer, outbox)
        exchange = LogExchange(log, writer, outbox)
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (offers, offer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        showProgress()
    }

    deinit { stop() }

    // MARK: - For the document

    /// Adds what is committed to the store from now on; returns the token of the listener.
    func listen() -> Int {
        defer {
            // Whoever adds a commit hears of it while the store is locked, and observers may ask the store.
            let token = writer.store.addListener(
                CommitListener(wake: { [weak self] in self?.showWaiting() }))
            observer.withLock { $0 = token }
        }
        return exchange.listen { [signal] in signal.yield() }
    }

    /// Exchanges commits by itself, from now on.
    func start(_ clock: any Clock<Duration>) {
        let arrivals = log.arrivals()
        tasks.withLock { tasks in
            tasks.append(
                Task.detached { [exchange, signal] in
                    for await number in arrivals where exchange.note(number) { signal.yield() }
                })
            tasks.append(
                Task.detached { [weak self, signals] in
                    for await _ in signals { await Self.catchUp({ self }, clock) }
                })
            tasks.append(
                Task.detached { [exchange, offers] in
                    for await _ in offers {
                        try? await exchange.offerBase()
                        try? await exchange.claimNextRange()
                    }
                })
        }
        signal.yield()
    }

    /// Exchanges commits until that succeeds, or trying again does not help.
    private static func catchUp(
        _ sharing: () -> DocumentSharing?, _ clock: any Clock<Duration>
    ) async {
        var pause = Duration.milliseconds(50)
        while !Task.isCancelled, case .offline? = await sharing()?.attempt() {
            guard (try? await clock.sleep(for: pause)) != nil else { return }
            pause = min(pause * 2, .seconds(10))
        }
    }

    private func attempt() async -> State {
        if isStopped { return shown.withLock(\.self) }
        try? await turns.withTurn { try await exchangeShowing(isAsked: false) }
        offer.yield()
        return shown.withLock(\.self)
    }

    /// Exchanges nothing any more; called on the document's queue.
    func end() {
        exchange.end()
        stop()
    }

    /// Exchanges nothing by itself any more.
    func stop() {
        signal.finish()
        offer.finish()
        tasks.withLock { tasks in
            tasks.forEach { $0.cancel() }
            tasks = []
        }
        if let token = observer.withLock({ $0.take() }) { writer.store.removeListener(token) }
    }

    /// The last commit that the store has of this opening.
    var latest: SharedCommit.ID? { outbox.latest }

    /// Waits until the log has all commits that the store has.
    ///
    /// - Parameter first: The last commit before those that matter to the caller.
    /// - Throws: `DocumentError.refused` where the log will not have one of these, or an error of the log.
    func share(after first: SharedCommit.ID?) async throws {
        guard let latest = outbox.latest else { return try await synchronize() }
        try await turns.withTurn {
            if outbox.isWaiting(upTo: latest) { try await exchangeShowing(isAsked: false) }
        }
        if let refused = outbox.refused.first(after: first, upTo: latest) {
            throw DocumentError.refused(
                path: writer.directory.path.description, reason: refused.reason)
        }
    }

    // MARK: - For everybody

    /// How far the document is; observable, and readable on any thread.
    public var state: State {
        registrar.access(self, keyPath: \.state)
        return shown.withLock(\.self)
    }

    /// The commits of this process that could not be made again on top of those of others; observable.
    public var conflicts: [SharedConflict] {
        registrar.access(self, keyPath: \.conflicts)
        return outbox.refused.conflicts
    }

    /// Forgets a conflict.
    public func dismiss(_ conflict: SharedConflict) {
        outbox.dismiss(conflict.id)
        registrar.withMutation(of: self, keyPath: \.conflicts) {}
        writer.log.announce()
    }

    /// Brings all commits of the store to the log, and all of the log's to the store.
    ///
    /// The document does so by itself; call it to know that it is done, or that the log can't be reached.
    ///
    /// - Throws: An error of the log, or `DocumentError`.
    public func synchronize() async throws {
        try await turns.withTurn { try await exchangeShowing(isAsked: true) }
        // What keeps the log from having a base keeps nobody from sharing commits.
        try? await exchange.offerBase()
        try? await exchange.claimNextRange()
    }

    // MARK: - Exchanging

    private func exchangeShowing(isAsked: Bool) async throws {
        let known = outbox.refused.conflicts.map(\.id)
        defer {
            if outbox.refused.conflicts.map(\.id) != known {
                registrar.withMutation(of: self, keyPath: \.conflicts) {}
            }
        }
        do {
            let isStopped = isStopped
            try await exchange.exchange(isAsked: isAsked)
            showProgress()
            // What came while it was stopped woke nobody.
            if isStopped { signal.yield() }
        } catch let error as DocumentError where error.endsSharing {
            show { _ in .stopped(reason: error.description) }
            throw error
        } catch let error as CancellationError where Task.isCancelled {
            showWaiting()
            throw error
        } catch {
            if case .offline = shown.withLock(\.self) { throw error }
            let reason = (error as? any DescribedError)?.description ?? "\(error)"
            let date = writer.store.now()
            show { _ in .offline(since: date, reason: reason) }
            // Whoever asked for this may not do so again.
            signal.yield()
            throw error
        }
    }

    // MARK: - State

    private var progress: State {
        let count = outbox.waitingCount
        return count == 0 ? .upToDate : .behind(count)
    }

    private var isStopped: Bool {
        if case .stopped = shown.withLock(\.self) { true } else { false }
    }

    private func showProgress() { show { _ in progress } }

    /// Shows how many commits wait, unless the log did not answer.
    private func showWaiting() { show { $0.isConnected ? progress : $0 } }

    /// Shows the state that comes after the one that is shown, and tells observers.
    private func show(_ next: (_ former: State) -> State) {
        let isNew = shown.withLock { shown in
            let former = shown
            shown = next(former)
            return shown != former
        }
        // Told once it is so: whoever reads it on another thread meanwhile would see what it was, and hear no more.
        if isNew { registrar.withMutation(of: self, keyPath: \.state) {} }
    }
}

extension DocumentSharing.State {
    /// Whether the log answered when it was last asked.
    fileprivate var isConnected: Bool {
        switch self {
        case .upToDate, .behind: true
        case .offline, .stopped: false
        }
    }
}

extension DocumentError {
    /// Whether trying again does not help.
    fileprivate var endsSharing: Bool {
        switch self {
        case .damaged, .incomplete, .newerFormat, .differentModel, .newerModel, .replaced,
            .differentLog, .copied, .closed:
            true
        default: false
        }
    }
}
