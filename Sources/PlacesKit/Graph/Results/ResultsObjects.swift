import PlacesBase

/// The objects of a results controller at one moment; a collection with handles on demand.
///
/// The objects that it holds and their order do not change; their values are live.
public struct ResultsObjects<Object: ManagedObject> {
    let rows: RankedRows
    let table: ObjectTable
    /// Keeps the table alive.
    let context: ManagedObjectContext
    /// Keeps the rows those of the objects.
    let lifetime: GraphLifetime?
}

extension ResultsObjects: RandomAccessCollection {
    /// The position of the first object: zero.
    public var startIndex: Int { 0 }

    /// The number of objects.
    public var endIndex: Int { rows.count }

    /// The object at a position.
    ///
    /// - Complexity: O(log n).
    public subscript(position: Int) -> Object {
        if !indices.contains(position) {
            mistake("Results of \(endIndex.counted("object")) have none at \(position).")
        }
        return unsafeDowncast(table.object(rows.row(at: position)), to: Object.self)
    }

    /// Makes an iterator over the objects, in order.
    public func makeIterator() -> FetchedResults<Object>.Iterator {
        FetchedResults(rows: rows.rows, table: table, context: context, lifetime: lifetime)
            .makeIterator()
    }
}

/// A section of a results controller.
public struct ResultsSection<Object: ManagedObject> {
    /// The value that the objects of the section share; no other section has it.
    public let key: SectionKey

    /// The name of the section.
    public let name: String

    /// The title of the section in an index beside the list.
    public let indexTitle: String

    /// The objects of the section, in their order.
    public let objects: Slice<ResultsObjects<Object>>
}

/// The sections of a results controller at one moment.
public struct ResultsSections<Object: ManagedObject>: RandomAccessCollection {
    let snapshot: ResultsSnapshot<ObjectID>
    let objects: ResultsObjects<Object>
    let indexTitle: (String) -> String

    /// The index of the first section: zero.
    public var startIndex: Int { 0 }

    /// The number of sections.
    public var endIndex: Int { snapshot.sections.count }

    /// The section at an index.
    ///
    /// - Complexity: O(log n).
    public subscript(index: Int) -> ResultsSection<Object> {
        let section = snapshot.sections[index]
        return ResultsSection(
            key: section.key, name: section.name, indexTitle: indexTitle(section.name),
            objects: objects[section.range])
    }
}
