/// The objects that a fetch found: a collection that creates handles on demand.
///
/// The fetch fixes which objects it holds and their order; the values of the objects are live. One that is deleted
/// meanwhile stays in its place, and the memory of all that are deleted is used again only when nobody keeps the
/// collection any more: to show a list for long, use a ``FetchedResultsController``.
public struct FetchedResults<Object: ManagedObject> {
    let rows: ContiguousArray<Row>
    let table: ObjectTable
    /// Keeps the table alive.
    let context: ManagedObjectContext
    /// Keeps the rows those of the objects that were found.
    let lifetime: GraphLifetime?
}

extension FetchedResults: RandomAccessCollection {
    /// The position of the first object: zero.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { rows.count }

    /// The object at a position.
    public subscript(position: Int) -> Object {
        unsafeDowncast(table.object(rows[position]), to: Object.self)
    }

    /// Makes an iterator over the objects, in order.
    public func makeIterator() -> Iterator {
        Iterator(walk: HandleWalk(rows: rows, table: table, context: context, during: lifetime))
    }

    /// Iterates over the objects of a fetch.
    ///
    /// If you have not kept a handle by the time of the next object, the iterator uses it for that
    /// object. Nobody can notice: no weak or strong reference to the handle is left.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var walk: HandleWalk

        /// The next object.
        @inlinable
        public mutating func next() -> Object? {
            guard walk.advance(), let object = walk.current else { return nil }
            return unsafeDowncast(object, to: Object.self)
        }
    }
}

extension FetchedResults: ListedElements {}
