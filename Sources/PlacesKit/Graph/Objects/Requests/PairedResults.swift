/// The objects of a fetch, each with the object to which a to-one relationship leads from it.
///
/// One handle goes from object to object, and another one to those that they lead to, unless you keep them.
public struct PairedResults<Object: ManagedObject, Target: ManagedObject>: Sequence {
    fileprivate let objects: FetchedResults<Object>
    /// A chain of to-one relationships.
    fileprivate let path: [Slot]

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
            let table = pairs.objects.table
            guard
                let end = table.transaction.graph.follow(
                    pairs.path[...], from: object.row, in: table.number)
            else { return (object, nil) }
            pairs.objects.context.state.tables[end.table].move(&target, to: end.row)
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
        guard case .property(let path)? = context.store.model.resolve(keyPath),
            table.transaction.graph.isToOne(path, in: table.number)
        else { throw .notAProperty(entity: table.entity.name, keyPath: "\(keyPath)") }
        return PairedResults(objects: self, path: path)
    }
}
