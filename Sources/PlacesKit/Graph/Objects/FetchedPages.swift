/// The objects of a request in pages, all as they were when the request was made.
///
/// ```swift
/// for page in try context.pages(of: 500, for: FetchRequest<Photo>()) {
///     for photo in page { … }
/// }
/// ```
///
/// - The objects are those of a read-only context that shows one snapshot: what changes meanwhile, in the
///   context that was asked or in others, changes neither the pages nor their objects. To change an object,
///   take that of your own context: `existingObject(_:with:)`.
/// - Handles are made when they are asked for, so a page that is done with leaves nothing behind.
public struct FetchedPages<Object: ManagedObject>: Sequence, IteratorProtocol {
    private let objects: FetchedResults<Object>
    private let size: Int
    private var start = 0

    init(of size: Int, _ objects: FetchedResults<Object>) {
        self.size = Swift.max(1, size)
        self.objects = objects
    }

    /// How many objects all pages have together.
    public var objectCount: Int { objects.count }

    /// The number of pages that are left.
    public var underestimatedCount: Int {
        start < objects.count ? (objects.count - start - 1) / size + 1 : 0
    }

    /// The next page: full, or the last one.
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
    /// The objects that a request describes, in pages of a size.
    ///
    /// - Parameters:
    ///   - size: How many objects a page has; less than one counts as one.
    ///   - request: The objects, in their order.
    /// - Returns: The pages.
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public func pages<Object: ManagedObject>(
        of size: Int, for request: FetchRequest<Object> = FetchRequest()
    ) throws(ContextError) -> FetchedPages<Object> {
        FetchedPages(of: size, try snapshot().context().fetch(request))
    }
}
