/// Who is told of the changes of a results controller, event by event.
///
/// A change is told as `controllerWillChangeContent`, while the controller still shows what it did; then
/// its events, those of sections first; then the change as a whole; then `controllerDidChangeContent`.
/// What is deleted, and where moves begin, has old positions; what is inserted, and where moves end, has
/// new ones. Implement what you need.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
    /// The class of the objects.
    associatedtype Object: ManagedObject

    /// Told before anything changes.
    func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

    /// Told of a section.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange section: ResultsDifference<ObjectID>.SectionEvent)

    /// Told of an object.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange item: ResultsDifference<ObjectID>.ItemEvent)

    /// Told of all events together.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChangeContentWith change: ResultsChange<ObjectID>)

    /// Told when all was told.
    func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)
}

extension FetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}

    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>,
        didChange section: ResultsDifference<ObjectID>.SectionEvent
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>,
        didChange item: ResultsDifference<ObjectID>.ItemEvent
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>,
        didChangeContentWith change: ResultsChange<ObjectID>
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {}
}
