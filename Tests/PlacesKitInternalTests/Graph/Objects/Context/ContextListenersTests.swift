import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The order in which listeners hear of changes, whatever they do meanwhile.
@Suite struct ContextListenersTests {
    private final class Log {
        var lines: [String] = []
    }

    private let listeners = ContextListeners()
    private let log = Log()
    private let graph: Graph

    init() throws { graph = try TownModel.store().head.graph }

    private func change(_ kind: ContextChange.Kind) -> ContextChange {
        ContextChange(
            kind: kind, objects: ObjectChanges(changes: ChangeSet(from: graph, to: graph)))
    }

    /// Lets go of listeners that keep what they tell.
    private func removeAll() { for token in listeners.toldTokens { listeners.remove(token) } }

    /// Adds a listener that notes what it hears, and then does something.
    private func listen(_ name: String, then body: @escaping () -> Void = {}) -> Int {
        listeners.add { [log] change in
            log.lines.append("\(name) \(change.kind)")
            body()
        }
    }

    @Test func `a change that a listener makes is told when all have heard of the one at hand`() {
        defer { removeAll() }
        var isFirst = true
        _ = listen("a") { [listeners] in
            if isFirst {
                isFirst = false
                listeners.tell(change(.didMerge))
                log.lines.append("a told")
            }
        }
        _ = listen("b")
        listeners.tell(change(.didChange))
        #expect(
            log.lines == ["a didChange", "a told", "b didChange", "a didMerge", "b didMerge"])
    }

    @Test func `a listener that comes meanwhile hears of later changes only`() {
        defer { removeAll() }
        var hasCome = false
        _ = listen("a") { [listeners] in
            guard !hasCome else { return }
            hasCome = true
            #expect(listeners.toldTokens == 0..<1)
            #expect(listeners.toldChange?.kind == .didChange)
            _ = listen("b")
        }
        listeners.tell(change(.didChange))
        #expect(listeners.toldTokens == 0..<2 && listeners.toldChange?.kind == nil)
        listeners.tell(change(.didSave))
        #expect(log.lines == ["a didChange", "a didSave", "b didSave"])
    }

    @Test func `a listener that another removes hears of nothing more`() {
        defer { removeAll() }
        var second = 0
        _ = listen("a") { [listeners] in listeners.remove(second) }
        second = listen("b")
        listeners.tell(change(.didChange))
        #expect(log.lines == ["a didChange"])
        listeners.remove(second)
        #expect(!listeners.isEmpty)
    }

    @Test func `what waits for the end of telling comes when all have heard of all`() {
        defer { removeAll() }
        _ = listen("a") { [listeners] in
            #expect(listeners.isTelling)
            if log.lines.count == 1 {
                listeners.whenTold { [log] in log.lines.append("first") }
                listeners.whenTold { [log] in
                    listeners.tell(change(.didMerge))
                    log.lines.append("second")
                }
                listeners.whenTold { [log] in log.lines.append("third") }
                listeners.tell(change(.didSave))
            }
        }
        listeners.tell(change(.didChange))
        #expect(!listeners.isTelling)
        #expect(
            log.lines == [
                "a didChange", "a didSave", "first", "second", "a didMerge", "third",
            ])
    }

    @Test func `a sequence ends with the listeners`() async {
        var listeners: ContextListeners? = ContextListeners()
        let (mailbox, reader) = PlacesGraph.Mailbox<ContextChange>.make(
            limit: 4, join: ContextChange.join)
        listeners?.add(mailbox)
        listeners?.tell(change(.didSave))
        listeners = nil
        var kinds: [ContextChange.Kind] = []
        for await change in ChangeStream(reader) { kinds.append(change.kind) }
        #expect(kinds == [.didSave])
    }

    @Test func `a sequence that nobody consumes any more is forgotten, and nothing waits for it`()
        throws
    {
        let context = try TownModel.context()
        let rest = context.changes
        for _ in 0..<10 { _ = context.changes }
        #expect(context.listeners.streamCount == 1)
        withExtendedLifetime(rest) {}
    }
}
