public import Foundation

extension PredicateFormat {
    /// Writes a predicate as a format string, which can be stored, sent and shown.
    ///
    /// ```swift
    /// let search = try PredicateFormat(#Predicate<Photo> { $0.isFavorite && $0.title.contains("sea") })
    /// print(search)  // (isFavorite == YES AND title CONTAINS 'sea')
    /// ```
    ///
    /// It finds the same objects in every document of the model. What was captured is written as a value.
    ///
    /// - Throws: `PredicateFormatError` for what formats have no words for, or what is not compiled:
    ///   integer arithmetic that may overflow, the class of an object, a computed property.
    /// - Complexity: O(n) for n parts.
    public init<Object: ManagedObject>(
        _ predicate: Predicate<Object>
    ) throws(PredicateFormatError) {
        try self.init(CompoundPredicate(predicate))
    }

    /// Writes a predicate that was put together as a format string.
    ///
    /// - Throws: `PredicateFormatError`, as for the predicate of each part.
    public init<Object: ManagedObject>(
        _ predicate: CompoundPredicate<Object>
    ) throws(PredicateFormatError) {
        try self.init(predicate.text())
        try check(for: Object.self)
    }
}

extension CompoundPredicate {
    /// The predicate as a format string.
    fileprivate func text() throws(PredicateFormatError) -> String {
        switch form {
        case .format(let format): return format.description
        case .all(let chain):
            return chain.isEmpty ? "TRUEPREDICATE" : try Self.text(chain, joinedBy: " AND ")
        case .any(let chain):
            return chain.isEmpty ? "FALSEPREDICATE" : try Self.text(chain, joinedBy: " OR ")
        case .not(let part): return "NOT (\(try part.text()))"
        case .tooDeep: throw Self.tooDeep
        case .located(let area): return try Self.text { area.condition(in: $0) }
        case .predicate(let predicate):
            return try Self.text { model in
                PredicateCompiler.compile(
                    predicate, in: model.layout.entities[0].table, of: Graph(layout: model.layout),
                    resolver: model)
            }
        }
    }

    private static func text(
        _ chain: PredicateChain<Object>, joinedBy word: String
    ) throws(PredicateFormatError) -> String {
        var texts: [String] = []
        for part in chain.parts { texts.append("(\(try part.text()))") }
        return texts.joined(separator: word)
    }

    /// A condition as a format string, compiled for the model of the class.
    private static func text(
        _ condition: (ObjectModel) -> Condition
    ) throws(PredicateFormatError) -> String {
        do throws(NotCompiled) {
            guard let model = Prototypes.model(around: Object.self) else {
                throw NotCompiled(reason: "a class that is no part of a sound model")
            }
            return try FormatWriter(model.layout, table: model.layout.entities[0].table)
                .text(condition(model))
        } catch {
            var problem = PredicateFormatError(
                format: "", column: 0, problem: .unsupported("\(error.reason) in a format"))
            problem.source = "the predicate"
            throw problem
        }
    }
}
