/// What a row of a list shows, as a value.
public struct ListRow: Identifiable, Hashable, Sendable {
    /// The object whose row it is.
    public let id: ObjectID
    /// The first line.
    public let title: String
    /// The second line, if there is one.
    public let subtitle: String?
    /// Whether the row can be deleted.
    public let canBeDeleted: Bool
}

/// The rows of a list at one moment: a collection that makes them when they are asked for.
///
/// Which rows it holds, and their order, stays; what they show is live.
public struct ListRows<Object: ManagedObject>: RandomAccessCollection {
    let list: ListController<Object>
    let objects: Slice<ResultsObjects<Object>>

    /// The index of the first row: zero.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { objects.count }

    /// The row at an index.
    ///
    /// - Complexity: O(log n).
    public subscript(index: Int) -> ListRow { list.row(of: objects[objects.startIndex + index]) }
}

/// A section of a list at one moment.
public struct ListSection<Object: ManagedObject> {
    /// What its objects have in common, which those of no other section have.
    public let key: SectionKey
    /// What stands above the section.
    public let title: String
    /// What stands for the section in an index beside the list.
    public let indexTitle: String
    /// Its rows.
    public let rows: ListRows<Object>
}
