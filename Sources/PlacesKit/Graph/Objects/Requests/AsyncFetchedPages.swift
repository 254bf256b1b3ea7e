extension GraphReader {
    /// Fetches the objects of a request off the caller's actor and returns them in pages.
    ///
    /// ```swift
    /// for try await page in context.asyncPages(of: 500, for: FetchRequest<Photo>()) {
    ///     for photo in page { … }
    /// }
    /// ```
    ///
    /// - All pages come from one snapshot, taken when you call this method, as with
    ///   ``FetchedPages``.
    /// - The first page waits for the fetch, which runs elsewhere. Each iteration fetches again.
    ///   The objects belong to a read-only context of the caller's isolation.
    /// - Between two pages the actor is free for other work. A cancelled task gets a
    ///   `CancellationError`.
    /// - The first page throws what `ManagedObjectContext.fetch` throws.
    ///
    /// - Parameters:
    ///   - size: The number of objects in a page; less than one counts as one.
    ///   - request: Which objects to fetch, in which order.
    /// - Returns: The pages of what the reader shows now.
    public func asyncPages<Object: ManagedObject>(
        of size: Int, for request: FetchRequest<Object> = FetchRequest()
    ) -> some AsyncSequence<FetchedResults<Object>, any Error> & Sendable {
        AsyncFetchedPages(snapshot: snapshot(), request: request, size: size)
    }
}

/// Walks pages in order.
private struct AsyncFetchedPages<Object: ManagedObject>: AsyncSequence, Sendable {
    typealias Element = FetchedResults<Object>
    typealias Failure = any Error

    fileprivate let snapshot: GraphSnapshot
    fileprivate let request: FetchRequest<Object>
    fileprivate let size: Int

    func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let pages: AsyncFetchedPages
        private var found: FetchedPages<Object>?

        fileprivate init(pages: AsyncFetchedPages) { self.pages = pages }

        mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> FetchedResults<Object>? {
            try Task.checkCancellation()
            guard found != nil else {
                let request = pages.request
                let rows = try await pages.snapshot.read { snapshot in
                    try GraphReading(snapshot).rows(of: request)
                }
                try Task.checkCancellation()
                let context = pages.snapshot.context()
                let results = FetchedResults<Object>(
                    rows: rows, table: try context.table(of: Object.self), context: context,
                    lifetime: context.fork.committed.graph.lifetime)
                found = FetchedPages(of: pages.size, results)
                return found?.next()
            }
            await Task.yield()
            return found?.next()
        }
    }
}
