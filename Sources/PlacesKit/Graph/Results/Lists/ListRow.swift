/// The content of a row of a list, as a value.
public struct ListRow: Identifiable, Hashable, Sendable {
    /// The identifier of the row's object.
    public let id: ObjectID
    /// The first line.
    public let title: String
    /// The second line, if there is one.
    public let subtitle: String?
    /// Whether the row can be deleted.
    public let canBeDeleted: Bool
}

/// The rows of a list at one moment: a collection that creates rows on demand.
///
/// The rows that it holds and their order do not change; their content is live.
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
    /// The value that the objects of the section share; no other section has it.
    public let key: SectionKey
    /// The header of the section.
    public let title: String
    /// The title of the section in an index beside the list.
    public let indexTitle: String
    /// The rows of the section.
    public let rows: ListRows<Object>
}
