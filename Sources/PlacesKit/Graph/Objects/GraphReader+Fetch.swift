extension GraphReader {
    /// How many objects a request describes, without making their handles.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func count<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Int {
        try reading.count(request)
    }

    /// How many objects of a class there are.
    ///
    /// - Throws: `ContextError.unknownClass`.
    /// - Complexity: O(1); for a class with a superclass in the model one pass over a column.
    public func count(_ type: ManagedObject.Type) throws(ContextError) -> Int {
        let reading = reading
        let (_, entity) = try reading.entity(of: type)
        return reading.graph.countRows(.objects(of: entity), in: entity.table) { _ in false }
    }

    /// Whether a request describes any object; looks no further than to the first ones.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func exists<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Bool {
        try reading.exists(request)
    }

    /// The identifiers of the objects that a request describes, in its order.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func identifiers<Object: ManagedObject>(
        of request: FetchRequest<Object>
    ) throws(ContextError) -> [ObjectID] {
        let reading = reading
        let (_, entity) = try reading.entity(of: Object.self)
        return try reading.rows(of: request).map { reading.graph.objectID($0, in: entity.table) }
    }

    /// The values of a property, one for each object.
    ///
    /// ```swift
    /// let titles = try context.values(of: \Photo.title)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: An attribute, also across to-one relationships; a number of members
    ///     (`\.photos.count`); an identifier (`\.objectID`, `\.takenAt?.objectID`); or anything else that
    ///     an object has to say, which takes longer.
    ///   - request: The objects, in their order; all objects of the class by default.
    /// - Returns: The values, in the order of the objects.
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func values<Object: ManagedObject, Value: Sendable>(
        of keyPath: KeyPath<Object, Value>, for request: FetchRequest<Object> = FetchRequest()
    ) throws(ContextError) -> [Value] {
        let reading = reading
        let (number, _) = try reading.entity(of: Object.self)
        return reading.values(of: keyPath, try reading.rows(of: request), of: number)
    }

    /// The values of several properties, a tuple for each object.
    ///
    /// ```swift
    /// for (title, place) in try context.values(of: \Photo.title, \.takenAt?.name) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - first: As in ``values(of:for:)``.
    ///   - second: Another one.
    ///   - others: More of them.
    ///   - request: The objects, in their order; all objects of the class by default.
    /// - Returns: The tuples, in the order of the objects.
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func values<
        Object: ManagedObject, First: Sendable, Second: Sendable, each Other: Sendable
    >(
        of first: KeyPath<Object, First>, _ second: KeyPath<Object, Second>,
        _ others: repeat KeyPath<Object, each Other>,
        for request: FetchRequest<Object> = FetchRequest()
    ) throws(ContextError) -> [(First, Second, repeat each Other)] {
        let reading = reading
        let (number, _) = try reading.entity(of: Object.self)
        let rows = try reading.rows(of: request)
        let firsts = reading.values(of: first, rows, of: number)
        let seconds = reading.values(of: second, rows, of: number)
        let columns = (repeat reading.values(of: each others, rows, of: number))
        return rows.indices.map { (firsts[$0], seconds[$0], repeat (each columns)[$0]) }
    }

    /// The different values of a property, in the order in which they first come.
    ///
    /// ```swift
    /// let names = try context.distinctValues(of: \Photo.takenAt?.name)
    /// ```
    ///
    /// No value is a value too; zeros of either sign, canonically equivalent texts, and all that is not a
    /// number are one.
    ///
    /// - Parameters:
    ///   - keyPath: As in ``values(of:for:)``.
    ///   - request: The objects, in their order; all objects of the class by default.
    /// - Returns: The different values.
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func distinctValues<Object: ManagedObject, Value: Hashable & Sendable>(
        of keyPath: KeyPath<Object, Value>, for request: FetchRequest<Object> = FetchRequest()
    ) throws(ContextError) -> [Value] {
        let reading = reading
        let (number, _) = try reading.entity(of: Object.self)
        let rows = try reading.rows(of: request)
        return reading.groups(of: rows, by: keyPath, of: number).keys
    }
}
