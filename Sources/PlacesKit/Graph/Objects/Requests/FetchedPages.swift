/// The objects of a request in pages, as they were when you asked for the pages.
///
/// ```swift
/// for page in try context.pages(of: 500, for: FetchRequest<Photo>()) {
///     for photo in page { … }
/// }
/// ```
///
/// - The objects belong to a read-only context that shows one snapshot. Later changes, in your
///   context or in others, change neither the pages nor their objects. To change an object, look it
///   up in your own context: `existingObject(_:with:)`.
/// - Handles are created on demand, so a page that you have finished with leaves nothing behind.
public struct FetchedPages<Object: ManagedObject>: Sequence, IteratorProtocol {
    private let objects: FetchedResults<Object>
    private let size: Int
    private var start = 0

    init(of size: Int, _ objects: FetchedResults<Object>) {
        self.size = Swift.max(1, size)
        self.objects = objects
    }

    /// The number of objects in all pages together.
    public var objectCount: Int { objects.count }

    /// The number of pages that are left.
    public var underestimatedCount: Int {
        start < objects.count ? (objects.count - start - 1) / size + 1 : 0
    }

    /// Returns the next page, which is full unless it is the last one.
    public mutating func next() -> FetchedResults<Object>? {
        guard start < objects.count else { return nil }
        let end = start + Swift.min(size, objects.count - start)
        defer { start = end }
        return FetchedResults(
            rows: ContiguousArray(objects.rows[start..<end]), table: objects.table,
            context: objects.context, lifetime: objects.lifetime)
    }
}

extension GraphReader {
    /// Fetches the objects of a request and returns them in pages.
    ///
    /// - Parameters:
    ///   - size: The number of objects in a page; less than one counts as one.
    ///   - request: Which objects to fetch, in which order.
    /// - Returns: The pages.
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public func pages<Object: ManagedObject>(
        of size: Int, for request: FetchRequest<Object> = FetchRequest()
    ) throws(ContextError) -> FetchedPages<Object> {
        FetchedPages(of: size, try snapshot().context().fetch(request))
    }
}
