public import Foundation

extension GraphReader {
    /// Counts the objects of a request without making their handles.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public func count<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Int {
        try reading.count(request)
    }

    /// Counts the objects of a class that satisfy a predicate.
    ///
    /// ```swift
    /// let count = try context.count(Photo.self, where: #Predicate { $0.isFavorite })
    /// ```
    /// - Parameters:
    ///   - type: The class of the objects.
    ///   - predicate: What the objects satisfy; all by default.
    /// - Returns: The number of objects.
    /// - Throws: `ContextError.unknownClass`.
    /// - Complexity: Without a predicate O(1); for a class with a superclass in the model one pass over a column.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws(ContextError) -> Int {
        try count(FetchRequest(of: type, predicate: predicate))
    }

    /// Tells whether a request finds any object; stops soon after the first.
    ///
    /// With an offset it counts the objects.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public func exists<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Bool {
        try reading.exists(request)
    }

    /// Tells whether any object of a class satisfies a predicate; stops soon after the first.
    ///
    /// ```swift
    /// let isAny = try context.exists(Photo.self, where: #Predicate { $0.isFavorite })
    /// ```
    /// - Throws: `ContextError.unknownClass`.
    public func exists<Object: ManagedObject>(
        _ type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws(ContextError) -> Bool {
        try exists(FetchRequest(of: type, predicate: predicate))
    }

    /// Fetches the identifiers of the objects of a request, in its order.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public func identifiers<Object: ManagedObject>(
        of request: FetchRequest<Object>
    ) throws(ContextError) -> [ObjectID] {
        let reading = reading
        let (_, entity) = try reading.entity(of: Object.self)
        return try reading.rows(of: request).map { reading.graph.objectID($0, in: entity.table) }
    }

    /// Reads the values of a property, one for each object.
    ///
    /// ```swift
    /// let titles = try context.values(of: \Photo.title)
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: An attribute, also across to-one relationships; a number of members
    ///     (`\.photos.count`); an identifier (`\.objectID`, `\.takenAt?.objectID`); or any other
    ///     property of the class, which takes longer.
    ///   - request: Which objects to read, in which order; all objects of the class by default.
    /// - Returns: The values, in the order of the objects.
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public func values<Object: ManagedObject, Value: Sendable>(
        of keyPath: KeyPath<Object, Value>, for request: FetchRequest<Object> = FetchRequest()
    ) throws(ContextError) -> [Value] {
        let reading = reading
        let (number, _) = try reading.entity(of: Object.self)
        return reading.values(of: keyPath, try reading.rows(of: request), of: number)
    }

    /// Reads the values of several properties, a tuple for each object.
    ///
    /// ```swift
    /// for (title, place) in try context.values(of: \Photo.title, \.takenAt?.name) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - first: A key path as in ``values(of:for:)``.
    ///   - second: Another key path.
    ///   - others: More key paths.
    ///   - request: Which objects to read, in which order; all objects of the class by default.
    /// - Returns: The tuples, in the order of the objects.
    /// - Throws: What `ManagedObjectContext.fetch` throws.
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

    /// Reads the different values of a property, in the order in which they first occur.
    ///
    /// ```swift
    /// let names = try context.distinctValues(of: \Photo.takenAt?.name)
    /// ```
    ///
    /// `nil` is a value too. Zeros of either sign, canonically equivalent texts, and all NaNs each
    /// count as one value.
    ///
    /// - Parameters:
    ///   - keyPath: A key path as in ``values(of:for:)``.
    ///   - request: Which objects to read, in which order; all objects of the class by default.
    /// - Returns: The different values.
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public func distinctValues<Object: ManagedObject, Value: Hashable & Sendable>(
        of keyPath: KeyPath<Object, Value>, for request: FetchRequest<Object> = FetchRequest()
    ) throws(ContextError) -> [Value] {
        let reading = reading
        let (number, _) = try reading.entity(of: Object.self)
        let rows = try reading.rows(of: request)
        return reading.groups(of: rows, by: keyPath, of: number).keys
    }
}
