/// The objects that a fetch found: a collection that makes their handles when they are asked for.
///
/// Which objects it holds, and their order, is fixed at the fetch; their values are live.
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

    /// Walks the objects in order.
    public func makeIterator() -> Iterator {
        Iterator(walk: HandleWalk(rows: rows, table: table, context: context, during: lifetime))
    }

    /// Walks the objects of a fetch.
    ///
    /// A handle that nobody kept by the time the next object is asked for becomes the next object's
    /// handle: what nobody refers to, weakly or strongly, nobody can tell from a new one.
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
