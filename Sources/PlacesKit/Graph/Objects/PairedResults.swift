/// The objects of a fetch, each with the object to which a to-one relationship leads from it.
///
/// One handle goes from object to object, and another one to those that they lead to, unless you keep them.
public struct PairedResults<Object: ManagedObject, Target: ManagedObject>: Sequence {
    fileprivate let objects: FetchedResults<Object>
    /// A chain of to-one relationships, and the table to which each leads.
    fileprivate let path: [(slot: Slot, destination: TableNumber)]

    /// Makes an iterator over the pairs, in the order of the fetch.
    public func makeIterator() -> Iterator { Iterator(pairs: self) }

    /// Iterates over the pairs of a fetch.
    public struct Iterator: IteratorProtocol {
        private let pairs: PairedResults
        private var objects: FetchedResults<Object>.Iterator
        private var target: ManagedObject?

        fileprivate init(pairs: PairedResults) {
            self.pairs = pairs
            objects = pairs.objects.makeIterator()
        }

        /// The next object, and the one to which the relationship leads from it; `nil` for the latter where it
        /// leads nowhere.
        public mutating func next() -> (Object, Target?)? {
            guard let object = objects.next() else { return nil }
            let transaction = pairs.objects.table.transaction
            var (row, table) = (object.row, pairs.objects.table.number)
            for (slot, destination) in pairs.path {
                row = transaction.reference(row, slot, in: table)
                guard !row.isNone else { return (object, nil) }
                table = destination
            }
            pairs.objects.context.tables[table].move(&target, to: row)
            return (object, target.map { unsafeDowncast($0, to: Target.self) })
        }
    }
}

extension FetchedResults {
    /// The objects, each with the object to which a to-one relationship leads from it.
    ///
    /// ```swift
    /// for (photo, place) in try context.fetch(request).paired(with: \.takenAt) {
    ///     print(photo.title, place?.name ?? "somewhere")
    /// }
    /// ```
    /// - Parameter keyPath: A to-one relationship of the class, or a chain of them.
    /// - Returns: The pairs, in the order of the fetch.
    /// - Throws: `ContextError.notAProperty` for any other key path.
    public func paired<Target: ManagedObject>(
        with keyPath: KeyPath<Object, Target?>
    ) throws(ContextError) -> PairedResults<Object, Target> {
        let model = context.store.model
        var table = table.number
        var path: [(slot: Slot, destination: TableNumber)] = []
        if case .property(let slots)? = model.resolve(keyPath) {
            for slot in slots {
                guard let layout = model.layout.tables[table].relationships[slot], layout.isToOne
                else { break }
                table = layout.destination
                path.append((slot, table))
            }
            if path.count == slots.count { return PairedResults(objects: self, path: path) }
        }
        throw .notAProperty(entity: self.table.entity.name, keyPath: "\(keyPath)")
    }
}
