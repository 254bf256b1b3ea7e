/// Walks the handles of some rows, one at a time.
///
/// A handle that nobody kept by the time the next one is asked for becomes the next row's: what nobody
/// refers to, strongly, weakly or unowned, nobody can tell from a new one. Without a type parameter,
/// so that it is compiled once, and well.
@usableFromInline
struct HandleWalk {
    private let rows: ContiguousArray<Row>
    private let context: ManagedObjectContext
    /// Keeps the rows those of the objects that are walked.
    private let lifetime: GraphLifetime?
    /// Kept alive by the context.
    private let table: Unmanaged<ObjectTable>
    /// How many of the first rows had handles.
    ///
    /// Nobody asks, but who counts has read where the handles lie: of rows far apart memory tells that for many at once
    /// in the time of a few, and the walk would ask row by row.
    private let liveCount: Int
    private var position = 0
    /// The handle at which the walk stands.
    @usableFromInline private(set) var current: ManagedObject?
    /// The walk's own handle, while it stands at one that somebody else keeps.
    private var spare: ManagedObject?

    init(
        rows: ContiguousArray<Row>, table: ObjectTable, context: ManagedObjectContext,
        during lifetime: GraphLifetime?
    ) {
        self.rows = rows
        self.context = context
        self.lifetime = lifetime
        self.table = .passUnretained(table)
        liveCount = table.directory.pointee.liveCount(of: rows.prefix(64))
    }

    /// Goes to the next handle; returns whether there is one.
    @usableFromInline
    mutating func advance() -> Bool {
        guard position < rows.count else {
            current = nil
            return false
        }
        let row = rows[position]
        position &+= 1
        table._withUnsafeGuaranteedRef { $0.move(&current, to: row, sparing: &spare) }
        return true
    }
}
