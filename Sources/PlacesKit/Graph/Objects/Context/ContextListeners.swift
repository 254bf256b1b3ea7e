/// Who hears of what happens in a context, and in which order.
///
/// - Every listener hears of all changes in the order in which they happened: what a listener changes is told when
///   all have heard of the change at hand.
/// - A listener that comes while a change is told hears of later ones only; one that goes hears of nothing more.
/// - Listeners are called in the order in which they came, and never inside of each other.
final class ContextListeners {
    /// What is called, by token.
    private var bodies: [Int: (ContextChange) -> Void] = [:]
    /// The sequences of all changes.
    private let streams = StreamFeeds<Mailbox<ContextChange>>()
    private var nextToken = 0
    /// Changes that are to be told, the first of them right now, which listeners were there by then, and whether one
    /// of them made the change while it was told of another.
    private var untold: [(change: ContextChange, below: Int, isAnswer: Bool)] = []
    /// What is to happen when all are told, each when the one before has been told of too.
    private var afterTelling: [() -> Void] = []
    /// Whether somebody is being told of something.
    private(set) var isTelling = false
    /// When changes are told by themselves; `nil` in a context that is used on no actor.
    let turns: ContextTurns?
    /// What listens for several others, one of each type.
    private var companions: [ObjectIdentifier: AnyObject] = [:]

    init(_ turns: ContextTurns? = nil) { self.turns = turns }

    /// Whether nobody listens.
    var isEmpty: Bool { bodies.isEmpty && streams.count == 0 }

    /// How many sequences are fed.
    var streamCount: Int { streams.count }

    // MARK: - Coming and going

    /// Calls a closure for everything that happens, until the token is removed.
    func add(_ body: @escaping (ContextChange) -> Void) -> Int {
        let token = makeToken()
        bodies[token] = body
        return token
    }

    /// Feeds a sequence with everything that happens, until nobody takes it in any more.
    func add(_ stream: Mailbox<ContextChange>) { streams.add(stream) }

    /// A token for somebody who hears of changes through another listener.
    func makeToken() -> Int {
        defer { nextToken += 1 }
        return nextToken
    }

    /// What listens for several others, made if there is none of its type.
    func companion<Companion: AnyObject>(make: () -> Companion) -> Companion {
        let key = ObjectIdentifier(Companion.self)
        if let known = companions[key] as? Companion { return known }
        let made = make()
        companions[key] = made
        return made
    }

    /// Calls the listener of a token no more.
    func remove(_ token: Int) {
        // Given out, for what it held ends with it, and may remove others.
        withExtendedLifetime(bodies.removeValue(forKey: token)) {}
    }

    /// Does what belongs to the end of something that listens where the context is used, for that may end on any thread.
    func finish(_ work: @escaping () -> Void) {
        if let turns { turns.finish(work) } else { work() }
    }

    // MARK: - Telling

    /// Tells of a change: at once, or when those before it were told.
    func tell(_ change: ContextChange) {
        // At once, so in the order in which changes happen, and only those who were there by then.
        for stream in streams.all { stream.put(change) }
        untold.append((change, nextToken, isTelling))
        tellAll()
    }

    /// Calls a closure when no listener is being told of anything: at once, or when all are told.
    ///
    /// What it changes is told when it has ended.
    func whenTold(_ body: @escaping () -> Void) {
        afterTelling.append(body)
        tellAll()
    }

    /// The change that is being told, if one is.
    var toldChange: ContextChange? { untold.first?.change }

    /// Whether the change that is being told was made by a listener while it was told of another.
    var isToldAnswer: Bool { untold.first?.isAnswer ?? false }

    /// The tokens that a change concerns which is being told: those of listeners that came before it.
    var toldTokens: Range<Int> { 0..<(untold.first?.below ?? nextToken) }

    private func tellAll() {
        guard !isTelling else { return }
        isTelling = true
        defer { isTelling = false }
        while true {
            if let (change, bound, _) = untold.first {
                for token in bodies.keys.sorted() where token < bound { bodies[token]?(change) }
                untold.removeFirst()
            } else if !afterTelling.isEmpty {
                afterTelling.removeFirst()()
            } else {
                return
            }
        }
    }
}
