/// The objects that a fetch found: a collection that makes their handles when they are asked for.
///
/// Which objects it holds, and their order, is fixed at the fetch; their values are live.
public struct FetchedResults<Object: ManagedObject> {
    let rows: ContiguousArray<Int32>
    let table: ObjectTable
    /// Keeps the table alive.
    let context: ManagedObjectContext
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
    public func makeIterator() -> Iterator { Iterator(rows: rows, table: table, context: context) }

    /// Walks the objects of a fetch.
    ///
    /// A handle that nobody kept by the time the next object is asked for becomes the next object's
    /// handle: what nobody refers to, weakly or strongly, nobody can tell from a new one.
    public struct Iterator: IteratorProtocol {
        let rows: ContiguousArray<Int32>
        let table: ObjectTable
        let context: ManagedObjectContext
        var position = 0
        var current: Object?

        init(rows: ContiguousArray<Int32>, table: ObjectTable, context: ManagedObjectContext) {
            self.rows = rows
            self.table = table
            self.context = context
        }

        /// The next object.
        public mutating func next() -> Object? {
            guard position < rows.count else {
                current = nil
                return nil
            }
            let row = rows[position]
            position += 1
            if table.isPlain, current != nil, isKnownUniquelyReferenced(&current),
                let handle = current, table.rebind(handle, to: row)
            {
                return handle
            }
            let next = unsafeDowncast(table.object(row), to: Object.self)
            current = next
            return next
        }
    }
}
