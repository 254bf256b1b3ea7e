public import Foundation

extension FetchedResultsController {
    /// All objects, from the first of the first section to the last of the last section.
    public var objects: ResultsObjects<Object> {
        ResultsObjects(
            rows: results.rows, table: table, context: context, lifetime: results.graph.lifetime)
    }

    /// The sections with their names and objects.
    public var sections: ResultsSections<Object> {
        ResultsSections(snapshot: snapshot, objects: objects, indexTitle: sectionIndexTitle)
    }

    /// The object at a position, or `nil` if the results have no such position.
    public func object(at position: ItemPosition) -> Object? {
        snapshot.index(of: position).map { objects[$0] }
    }

    /// The object at an index path of a section and an item, or `nil` if there is none.
    public func object(at indexPath: IndexPath) -> Object? {
        ItemPosition(indexPath).flatMap(object)
    }

    /// The position of an object, or `nil` if it is not among the results.
    ///
    /// - Complexity: O(log n); O(n) if the request or the sections read a computed property.
    public func position(of object: Object) -> ItemPosition? {
        object.table?.state === context.state ? results.position(of: object.row) : nil
    }

    /// The index path (section, item) of an object, or `nil` if it is not among the results.
    ///
    /// - Complexity: O(log n); O(n) if the request or the sections read a computed property.
    public func indexPath(of object: Object) -> IndexPath? {
        position(of: object).map { IndexPath(indexes: [$0.section, $0.item]) }
    }

    // MARK: - Index titles

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
}

extension ResultsSnapshot {
    /// The different titles that the sections have in an index beside the list, in their order.
    func indexTitles(_ title: (String) -> String) -> [String] {
        var known: Set<String> = []
        return sections.map { title($0.name) }.filter { known.insert($0).inserted }
    }
}

extension ItemPosition {
    /// The position for an index path of a section and an item, or `nil` for any other index path.
    public init?(_ indexPath: IndexPath) {
        guard indexPath.count == 2 else { return nil }
        self.init(section: indexPath[0], item: indexPath[1])
    }
}
