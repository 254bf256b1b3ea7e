import PlacesGraph

/// What the lists of a library are told when they are made.
extension ListController {
    /// Lets the list show a text while it has no rows.
    func saying(_ message: @autoclosure @escaping () -> String) -> ListController {
        emptyMessage = message
        return self
    }

    /// Lets all rows be deleted, and does so.
    func deleting(by delete: @escaping (Object) throws -> Void) -> ListController {
        canDelete = { _ in true }
        onDelete = delete
        return self
    }
}
