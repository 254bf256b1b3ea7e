/// Where a page of a request ended, for asking later for the next one: in another process, too.
///
/// A token holds what the last object was sorted by, and its number; in an order by relevance also how rare the
/// words were for the first page. It is `Codable`, so a server can give it to its client.
public struct PageToken: Hashable, Codable, Sendable {
    /// The entity and the order of the objects, in words that are the same in every process.
    let order: String
    /// What the last object was sorted by, written as the arguments of formats are, which rounds nothing.
    let values: [FormatValue]
    /// The number of the last object.
    let number: Int64
    /// What the ranks of the order counted for the first page, for all pages to go by; `nil` where it has none.
    let statistics: [TextRank.Statistics]?
}

/// The objects of one page.
public struct FetchedPage<Object: ManagedObject> {
    /// The objects, in the order of the request.
    public let objects: FetchedResults<Object>
    /// What leads to the next page; `nil` where there is none.
    public let next: PageToken?
}
