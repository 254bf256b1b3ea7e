/// The delegate of a results controller, which is notified of changes event by event.
///
/// For each change the controller calls `controllerWillChangeContent` while it still shows the old
/// results. Then it calls a method for each event, sections first, and one with the change as a
/// whole. At last it calls `controllerDidChangeContent`. Deletes and the starts of moves have old
/// positions; inserts and the ends of moves have new ones. Implement only what you need.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
    /// The class of the objects.
    associatedtype Object: ManagedObject

    /// Tells the delegate that the controller is about to change.
    func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

    /// Tells the delegate that a section was inserted, deleted, moved or renamed.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange section: ResultsDifference<ObjectID>.SectionEvent)

    /// Tells the delegate that an object was inserted, deleted, moved or updated.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange item: ResultsDifference<ObjectID>.ItemEvent)

    /// Tells the delegate of the change as a whole, with all its events.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChangeContentWith change: ResultsChange<ObjectID>)

    /// Tells the delegate that the controller has reported the whole change.
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
