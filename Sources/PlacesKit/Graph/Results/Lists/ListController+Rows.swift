public import Foundation

extension ListController {
    /// All rows, from the first of the first section to the last of the last section.
    public var rows: ListRows<Object> { rows(0..<objects.count) }

    /// The sections; none while the list has no request.
    ///
    /// - Complexity: O(s log n) for s sections.
    public var sections: [ListSection<Object>] {
        snapshot.sections.map { section in
            ListSection(
                key: section.key, title: sectionTitle(section.name),
                indexTitle: sectionIndexTitle(section.name), rows: rows(section.range))
        }
    }

    private func rows(_ range: Range<Int>) -> ListRows<Object> {
        ListRows(list: self, objects: objects[range])
    }

    /// All objects, in the order of the rows.
    public var objects: ResultsObjects<Object> {
        results?.objects
            ?? ResultsObjects(
                rows: RankedRows(window: 0..<0, isSectioned: false), table: table, context: context,
                lifetime: nil)
    }

    /// The row at a position, or `nil` if the list has no such position.
    public func row(at position: ItemPosition) -> ListRow? { object(at: position).map(row) }

    /// The object at a position, or `nil` if the list has no such position.
    public func object(at position: ItemPosition) -> Object? { results?.object(at: position) }

    /// The position of an object's row, or `nil` if it has none.
    ///
    /// - Complexity: O(log n); O(n) if the request or the sections read a computed property.
    public func position(of object: Object) -> ItemPosition? { results?.position(of: object) }

    /// The position of the selected row; `nil` if it is not shown.
    ///
    /// - Complexity: O(log n); O(n) if the request or the sections read a computed property.
    public var selectedPosition: ItemPosition? { selection.flatMap(position) }

    /// The texts of an object's row.
    public func row(of object: Object) -> ListRow {
        ListRow(
            id: object.objectID, title: titleKey.flatMap { object.text(at: $0) } ?? "",
            subtitle: subtitleKey.flatMap { object.text(at: $0) }, canBeDeleted: canDelete(object))
    }

    /// The small picture of an object's row, if it has one.
    public func thumbnail(of object: Object) -> Data? {
        thumbnailKey.flatMap { object[keyPath: $0] }
    }

    // MARK: - Index

    /// The different titles for an index beside the list, in the order of the sections.
    ///
    /// - Complexity: O(s) for s sections.
    public var sectionIndexTitles: [String] {
        snapshot.indexTitles(sectionIndexTitle)
    }

    /// The index of the first section with a title of the index.
    ///
    /// - Complexity: O(s) for s sections.
    public func section(forSectionIndexTitle title: String) -> Int? {
        snapshot.sections.firstIndex { sectionIndexTitle($0.name) == title }
    }

    // MARK: - Words

    /// The text to show instead of rows; `nil` if there are rows or no request.
    ///
    /// It describes the ``error``, or says that there are no objects.
    public var message: String? {
        if let error { return error.description }
        guard let results, results.snapshot.identifiers.isEmpty else { return nil }
        return searchText.isEmpty ? emptyMessage() : "Nothing found with “\(searchText)”."
    }
}
