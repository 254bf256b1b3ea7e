public import Foundation

/// A condition that is put together while the program runs, from predicates and predicate formats.
///
/// ```swift
/// var conditions = [CompoundPredicate<Photo>(#Predicate { $0.isFavorite })]
/// if !text.isEmpty { conditions.append(try CompoundPredicate("title CONTAINS[cd] %@", text)) }
/// let request = try FetchRequest(where: .all(conditions), sortBy: [SortDescriptor(\.title)])
/// ```
///
/// `&&`, `||` and `!` combine compound predicates as they do truth values. PlacesKit compiles all parts together, so an
/// index may serve each of them. An object for which a part has no result does not satisfy that part.
///
/// A chain of `&&`, or one of `||`, may be of any length. If one kind lies in another more than 200 levels deep, requests
/// with the predicate throw.
public struct CompoundPredicate<Object: ManagedObject>: Sendable {
    let form: Form
    /// How many kinds of combination lie in each other: what walks them by recursion is bounded by it.
    let depth: Int

    indirect enum Form: Sendable {
        case predicate(Predicate<Object>)
        case format(PredicateFormat)
        case located(AreaCondition<Object>)
        case all(PredicateChain<Object>)
        case any(PredicateChain<Object>)
        case not(CompoundPredicate)
        /// What lay too deep, and was let go of.
        case tooDeep
    }

    private static var limit: Int { 200 }

    /// Makes a predicate of a form whose parts have a depth.
    private init(_ form: Form, over partDepth: Int = 0) {
        let depth = 1 + partDepth
        self.depth = min(depth, Self.limit + 1)
        self.form = depth > Self.limit ? .tooDeep : form
    }

    /// What a predicate asks.
    public init(_ predicate: Predicate<Object>) { self.init(.predicate(predicate)) }

    /// What a predicate format asks.
    public init(_ format: PredicateFormat) { self.init(.format(format)) }

    /// Parses a format string and takes its arguments.
    ///
    /// - Throws: `PredicateFormatError`, which names the column and what belongs there.
    public init(_ format: String, _ arguments: Any?...) throws(PredicateFormatError) {
        self.init(.format(try PredicateFormat(format, arguments: arguments)))
    }

    /// Whether objects lie in an area.
    init(_ located: AreaCondition<Object>) { self.init(.located(located)) }

    /// Holds where each of some predicates does; of none, everywhere.
    public static func all(_ predicates: [CompoundPredicate]) -> CompoundPredicate {
        let chain = chain(of: predicates) { if case .all(let chain) = $0 { chain } else { nil } }
        return CompoundPredicate(.all(chain), over: chain.depth)
    }

    /// Holds where at least one of some predicates does; of none, nowhere.
    public static func any(_ predicates: [CompoundPredicate]) -> CompoundPredicate {
        let chain = chain(of: predicates) { if case .any(let chain) = $0 { chain } else { nil } }
        return CompoundPredicate(.any(chain), over: chain.depth)
    }

    /// The chain of some predicates, in which those are no parts that are such chains, but their parts.
    private static func chain(
        of predicates: [CompoundPredicate], inner: (Form) -> PredicateChain<Object>?
    ) -> PredicateChain<Object> {
        // The first goes on, so a chain that grows in a loop is not copied each time.
        var chain = predicates.first.flatMap { inner($0.form) } ?? PredicateChain()
        for predicate in predicates.dropFirst(chain.isEmpty ? 0 : 1) {
            chain.append(inner(predicate.form).map { Array($0.parts) } ?? [predicate])
        }
        return chain
    }

    /// Holds where both predicates do.
    ///
    /// - Complexity: O(1) on average for a part that is added at the end of a chain.
    public static func && (left: CompoundPredicate, right: CompoundPredicate) -> CompoundPredicate {
        .all([left, right])
    }

    /// Holds where at least one of the two predicates does.
    ///
    /// - Complexity: O(1) on average for a part that is added at the end of a chain.
    public static func || (left: CompoundPredicate, right: CompoundPredicate) -> CompoundPredicate {
        .any([left, right])
    }

    /// Holds where the predicate does not.
    public static prefix func ! (predicate: CompoundPredicate) -> CompoundPredicate {
        if case .not(let inner) = predicate.form { return inner }
        return CompoundPredicate(.not(predicate), over: predicate.depth)
    }

    /// What is thrown for what lay too deep.
    static var tooDeep: PredicateFormatError {
        var error = PredicateFormatError(format: "", column: 0, problem: .tooDeep(limit: limit))
        error.source = "the compound predicate"
        return error
    }

    /// The formats among the parts.
    var formats: [PredicateFormat] {
        switch form {
        case .predicate, .located, .tooDeep: []
        case .format(let format): [format]
        case .all(let chain), .any(let chain): chain.parts.flatMap(\.formats)
        case .not(let part): part.formats
        }
    }
}

extension FetchRequest {
    /// Describes a fetch with a predicate that was put together.
    ///
    /// - Throws: `PredicateFormatError` if a part is a format for which the class lacks a property, in which two values
    ///   can never be compared, or of which a variable has no value.
    public init(
        where compound: CompoundPredicate<Object>,
        sortBy descriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0
    ) throws(PredicateFormatError) {
        self.init(sortBy: descriptors, limit: limit, offset: offset)
        self.compound = compound
        if case .tooDeep = compound.form { throw CompoundPredicate<Object>.tooDeep }
        for format in compound.formats { try format.check(for: Object.self) }
    }
}

extension GraphReading {
    /// The condition that a compound predicate stands for.
    ///
    /// What asks the object itself asks it the whole predicate, so what lies around such a part, other than that it is
    /// one of several that must hold, is asked with it.
    func condition<Object: ManagedObject>(
        _ compound: CompoundPredicate<Object>, of entity: Int, at now: Date
    ) throws(PredicateFormatError) -> Condition {
        switch compound.form {
        case .predicate(let predicate):
            return compiled(predicate, of: model.layout.entities[entity])
        case .format(let format):
            return try FormatCompiler.compile(format, of: entity, in: graph, now: now)
        case .located(let area): return area.condition(in: model)
        case .all(let chain): return .every(try conditions(chain, of: entity, at: now))
        case .any(let chain): return .asked(.some(try conditions(chain, of: entity, at: now)))
        case .not(let part):
            return .asked(try condition(part, of: entity, at: now).negated)
        case .tooDeep: throw CompoundPredicate<Object>.tooDeep
        }
    }

    private func conditions<Object: ManagedObject>(
        _ chain: PredicateChain<Object>, of entity: Int, at now: Date
    ) throws(PredicateFormatError) -> [Condition] {
        var conditions: [Condition] = []
        for part in chain.parts { conditions.append(try condition(part, of: entity, at: now)) }
        return conditions
    }

    /// Asks rows a compound predicate; some of its parts may have to ask the objects.
    func evaluation<Object: ManagedObject>(
        of compound: CompoundPredicate<Object>, of entity: Int
    ) -> (Row) -> Bool {
        switch compound.form {
        case .all(let chain):
            let tests = chain.parts.map { evaluation(of: $0, of: entity) }
            return { row in tests.allSatisfy { $0(row) } }
        case .any(let chain):
            let tests = chain.parts.map { evaluation(of: $0, of: entity) }
            return { row in tests.contains { $0(row) } }
        case .not(let part):
            let test = evaluation(of: part, of: entity)
            return { row in !test(row) }
        case .tooDeep: return { _ in false }
        case .predicate(let predicate):
            let predicates = [CarefulPredicate(predicate)]
            return { row in
                self.context.evaluate(predicates, row, in: self.context.state.tables[entity])
            }
        case .located(let area):
            return { row in area.holds(self.object(row, of: entity)) }
        case .format:
            let table = model.layout.entities[entity].table
            guard let condition = try? condition(compound, of: entity, at: now) else {
                return { _ in false }
            }
            return graph.answers(to: condition, in: table) { _ in false }
        }
    }
}

extension Condition {
    /// A condition, or where some of it must be asked of each object all of it.
    fileprivate static func asked(_ condition: Condition) -> Condition {
        guard let reason = condition.reasons.first else { return condition }
        return .opaque(OpaqueCondition(reason: reason))
    }
}
