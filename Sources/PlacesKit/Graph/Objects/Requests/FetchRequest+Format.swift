public import Foundation

extension FetchRequest {
    /// Describes a fetch with a predicate written as a format string.
    ///
    /// ```swift
    /// let request = try FetchRequest<Photo>(
    ///     where: "takenAt.name == %@ AND isFavorite == YES", "Paris", limit: 20)
    /// ```
    ///
    /// - Throws: `PredicateFormatError`, which names the column and what belongs there: if the
    ///   string is not a predicate, if the class lacks a property, or if two values can never be
    ///   compared.
    public init(
        where format: String, _ arguments: Any?...,
        sortBy descriptors: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int = 0
    ) throws(PredicateFormatError) {
        try self.init(
            where: PredicateFormat(format, arguments: arguments), sortBy: descriptors,
            limit: limit, offset: offset)
    }

    /// Describes a fetch with a predicate that was parsed before.
    ///
    /// - Throws: `PredicateFormatError` if the class lacks a property, if two values can never be
    ///   compared, or if a variable has no value.
    public init(
        where format: PredicateFormat, sortBy descriptors: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int = 0
    ) throws(PredicateFormatError) {
        self.init(sortBy: descriptors, limit: limit, offset: offset)
        self.format = format
        try format.check(for: Object.self)
    }

    /// Describes a fetch that a context makes at once, and that checks the format then.
    init(
        of type: Object.Type, _ format: String, _ arguments: [Any?],
        sortBy descriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0
    ) throws(ContextError) {
        self.init(of: type, sortBy: descriptors, limit: limit, offset: offset)
        do throws(PredicateFormatError) {
            self.format = try PredicateFormat(format, arguments: arguments)
        } catch {
            throw .malformedPredicate(error)
        }
    }
}

extension PredicateFormat {
    /// Checks that the format can be asked of objects of a class.
    func check(for type: ManagedObject.Type) throws(PredicateFormatError) {
        // A class that is no part of a sound model is told of by the fetch.
        guard let layout = Prototypes.model(around: type)?.layout else { return }
        _ = try FormatCompiler.compile(
            self, of: 0, in: Graph(layout: layout), now: Date(), isPartial: true)
    }
}

extension ManagedObjectContext {
    /// Fetches the objects of a class that satisfy a predicate written as a format string.
    ///
    /// Without sort descriptors they come in an order that stays while they live, mostly that in which they
    /// were inserted.
    ///
    /// ```swift
    /// let photos = try context.fetch(
    ///     Photo.self, where: "takenAt.name BEGINSWITH[cd] %@", "par", sortBy: [SortDescriptor(\.title)])
    /// ```
    ///
    /// - Throws: `ContextError.malformedPredicate` with the column and what belongs there;
    ///   `ContextError.patternTooCostly`; `ContextError.unknownClass`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, where format: String, _ arguments: Any?...,
        sortBy descriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0
    ) throws(ContextError) -> FetchedResults<Object> {
        try fetch(
            FetchRequest(
                of: type, format, arguments, sortBy: descriptors, limit: limit, offset: offset))
    }

    /// Fetches the first object of a class that satisfies a predicate written as a format string, or
    /// `nil` if there is none.
    ///
    /// - Throws: `ContextError.malformedPredicate` with the column and what belongs there;
    ///   `ContextError.patternTooCostly`; `ContextError.unknownClass`.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, where format: String, _ arguments: Any?...,
        sortBy descriptors: [SortDescriptor<Object>] = []
    ) throws(ContextError) -> Object? {
        try first(FetchRequest(of: type, format, arguments, sortBy: descriptors))
    }
}

extension GraphReader {
    /// Counts the objects of a class that satisfy a predicate written as a format string.
    ///
    /// - Throws: `ContextError.malformedPredicate` with the column and what belongs there;
    ///   `ContextError.patternTooCostly`; `ContextError.unknownClass`.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, where format: String, _ arguments: Any?...
    ) throws(ContextError) -> Int {
        try count(FetchRequest(of: type, format, arguments))
    }

    /// Tells whether any object of a class satisfies a predicate written as a format string; stops
    /// soon after the first.
    ///
    /// - Throws: `ContextError.malformedPredicate` with the column and what belongs there;
    ///   `ContextError.patternTooCostly`; `ContextError.unknownClass`.
    public func exists<Object: ManagedObject>(
        _ type: Object.Type, where format: String, _ arguments: Any?...
    ) throws(ContextError) -> Bool {
        try exists(FetchRequest(of: type, format, arguments))
    }
}
