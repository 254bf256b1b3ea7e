/// Somebody whose results a change may concern.
protocol ResultsReceiver: AnyObject {
    /// Takes the rows that a change touches.
    func receive(_ touched: ContiguousArray<TouchedRow>, of changes: ChangeSet)

    /// Lets go of earlier graphs: a change has led to another one and does not concern the results.
    func follow(to graph: Graph)
}

/// Tells the results controllers of a context of its changes: of each change only those that it may
/// concern.
///
/// Controllers whose conditions read the same properties are a group, whose touched rows are found once.
/// Where the conditions ask for equality the group knows its controllers by the values: a row concerns
/// those that ask for the value that it had, or has.
final class ResultsDispatcher {
    /// Its listeners own the dispatcher.
    private unowned let state: ContextState
    private var listener: Int?
    private var routes: [Int: Route] = [:]
    private var groups: [RouteGroup.Key: RouteGroup] = [:]
    /// The groups that read a table.
    private var groupsByTable: [[RouteGroup]]
    /// The groups of those who want to know of everything.
    private var opaqueGroups: [RouteGroup] = []
    private var changeNumber = 0
    /// That of the graph which all receivers have come to.
    private weak var lifetime: GraphLifetime?
    /// How many changes there were since then, and objects that they deleted.
    private var passed = 0

    /// The dispatcher of a context.
    static func of(_ context: ManagedObjectContext) -> ResultsDispatcher {
        context.listeners.companion { ResultsDispatcher(context.state) }
    }

    private init(_ state: ContextState) {
        self.state = state
        groupsByTable = Array(
            repeating: [], count: state.transaction.graph.layout.entityTables.count)
    }

    // MARK: - Routes

    /// Who is told, and by what a change finds it.
    private struct Route {
        weak var receiver: (any ResultsReceiver)?
        var group: RouteGroup
        var values: Set<Datum>?
    }

    /// Tells a receiver of the changes that may concern what it asks; returns its token.
    func add(_ receiver: any ResultsReceiver, asking query: TrackedQuery) -> Int {
        let token = makeToken()
        enter(token, receiver, query)
        return token
    }

    /// Tells a receiver of the changes of rows that satisfy a condition, or did; returns its token.
    func add(
        _ receiver: any ResultsReceiver, wanting condition: Condition, of table: TableNumber
    ) -> Int {
        let token = makeToken()
        let dependencies = QueryDependencies(
            condition, [], table: table, layout: state.transaction.graph.layout)
        enter(token, receiver, condition, dependencies)
        return token
    }

    private func makeToken() -> Int {
        if listener == nil {
            listener = state.context.addListener { [weak self] in self?.deliver($0) }
        }
        return state.listeners.makeToken()
    }

    /// Lets the receiver of a token ask something else.
    func change(_ token: Int, toAsk query: TrackedQuery) {
        guard let receiver = routes[token]?.receiver else { return }
        leave(token)
        enter(token, receiver, query)
    }

    /// Tells the receiver of a token nothing more.
    func remove(_ token: Int) {
        leave(token)
        guard routes.isEmpty, let listener else { return }
        state.listeners.remove(listener)
        self.listener = nil
    }

    private func enter(_ token: Int, _ receiver: any ResultsReceiver, _ query: TrackedQuery) {
        // Where the time counts, dates are followed that nobody links to yet.
        enter(
            token, receiver, query.compiled.condition, query.dependencies,
            isOpaque: query.compiled.isOpaque || query.isMoving)
    }

    private func enter(
        _ token: Int, _ receiver: any ResultsReceiver, _ condition: Condition,
        _ dependencies: QueryDependencies, isOpaque: Bool = false
    ) {
        let found = isOpaque ? nil : choice(in: condition, dependencies)
        let key = RouteGroup.Key(
            dependencies: dependencies, selector: found?.selector, isOpaque: isOpaque)
        let group = groups[key] ?? makeGroup(key)
        group.enter(token, found?.values)
        routes[token] = Route(receiver: receiver, group: group, values: found?.values)
    }

    /// By which values a receiver is found: those that the fewest others ask for by now, for a change of what many ask for
    /// calls all of them.
    private func choice(
        in condition: Condition, _ dependencies: QueryDependencies
    ) -> RouteSelector.Choice? {
        let (table, layout) = (dependencies.table, state.transaction.graph.layout)
        let choices = RouteSelector.choices(in: condition, of: table, layout)
        guard choices.count > 1 else { return choices.first }
        return choices.map { choice in
            let key = RouteGroup.Key(
                dependencies: dependencies, selector: choice.selector, isOpaque: false)
            let others = groups[key]?.mostReceivers(of: choice.values) ?? 0
            return (choice, cost: (others, choice.selector.commonness(in: table, layout)))
        }.min { $0.cost < $1.cost }?.0
    }

    private func makeGroup(_ key: RouteGroup.Key) -> RouteGroup {
        let group = RouteGroup(key)
        groups[key] = group
        if key.isOpaque { opaqueGroups.append(group) }
        for table in key.dependencies.tables
        where !key.isOpaque && groupsByTable.tableNumbers.contains(table) {
            groupsByTable[table].append(group)
        }
        return group
    }

    private func leave(_ token: Int) {
        guard let route = routes.removeValue(forKey: token) else { return }
        route.group.leave(token, route.values)
        guard route.group.isEmpty else { return }
        let key = route.group.key
        groups[key] = nil
        opaqueGroups.removeAll { $0 === route.group }
        for table in key.dependencies.tables where groupsByTable.tableNumbers.contains(table) {
            groupsByTable[table].removeAll { $0 === route.group }
        }
    }

    // MARK: - Telling

    private func deliver(_ changes: ChangeSet) {
        let tokens = state.listeners.toldTokens
        changeNumber &+= 1
        var concerned: [Int: ContiguousArray<TouchedRow>] = [:]
        for table in changes.tables.tableNumbers where !changes.tables[table].isEmpty {
            for group in groupsByTable[table] where group.lastChange != changeNumber {
                group.lastChange = changeNumber
                group.collect(changes, &concerned)
            }
        }
        for group in opaqueGroups { group.collect(changes, &concerned) }
        for (token, touched) in concerned.sorted(by: { $0.key < $1.key })
        where tokens.contains(token) {
            routes[token]?.receiver?.receive(touched, of: changes)
        }
        letGo(changes, exceptFor: concerned, tokens)
    }

    /// Lets receivers that a change does not concern let go of the graphs in which deleted objects were, whose
    /// rows nobody gets meanwhile.
    ///
    /// Not after each such change, for there may be thousands of receivers: when there were as many changes and
    /// deleted objects as there are receivers.
    private func letGo(
        _ changes: ChangeSet, exceptFor concerned: [Int: ContiguousArray<TouchedRow>],
        _ tokens: Range<Int>
    ) {
        passed += changes.tables.reduce(1) { $0 + $1.deleted.count }
        guard changes.after.lifetime !== lifetime, passed >= routes.count else { return }
        (lifetime, passed) = (changes.after.lifetime, 0)
        for (token, route) in routes where concerned[token] == nil && tokens.contains(token) {
            route.receiver?.follow(to: changes.after)
        }
    }
}

/// Receivers that read the same properties.
private final class RouteGroup {
    struct Key: Hashable {
        var dependencies: QueryDependencies
        var selector: RouteSelector?
        var isOpaque: Bool
    }

    let key: Key
    /// The number of the change that was last looked at.
    var lastChange = 0
    /// The tokens of those who ask for a value.
    private var byValue: [Datum: Set<Int>] = [:]
    /// The tokens of the others.
    private var others: Set<Int> = []

    init(_ key: Key) { self.key = key }

    var isEmpty: Bool { byValue.isEmpty && others.isEmpty }

    /// How many receivers ask for one of some values at most.
    func mostReceivers(of values: Set<Datum>) -> Int {
        values.lazy.map { self.byValue[$0]?.count ?? 0 }.max() ?? 0
    }

    func enter(_ token: Int, _ values: Set<Datum>?) {
        guard let values else {
            others.insert(token)
            return
        }
        for value in values { byValue[value, default: []].insert(token) }
    }

    func leave(_ token: Int, _ values: Set<Datum>?) {
        others.remove(token)
        for value in values ?? [] {
            byValue[value]?.remove(token)
            if byValue[value]?.isEmpty == true { byValue[value] = nil }
        }
    }

    /// Adds the rows that a change touches to those of the receivers whom they may concern.
    func collect(_ changes: ChangeSet, _ concerned: inout [Int: ContiguousArray<TouchedRow>]) {
        let touched = key.dependencies.rows(touchedBy: changes)
        guard !touched.isEmpty || key.isOpaque else { return }
        for token in others { concerned[token] = touched }
        guard let selector = key.selector else { return }
        let (operand, table) = (selector.operand, key.dependencies.table)
        func add(_ row: TouchedRow, in graph: Graph) {
            guard graph.contains(row.row, in: table),
                let tokens = byValue[graph.value(of: operand, row.row, in: table)]
            else { return }
            for token in tokens where concerned[token]?.last?.row != row.row {
                concerned[token, default: []].append(row)
            }
        }
        for row in touched {
            add(row, in: changes.before)
            add(row, in: changes.after)
        }
    }
}
