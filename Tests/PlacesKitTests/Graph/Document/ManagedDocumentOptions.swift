import PlacesKit

extension ManagedDocument.Options {
    /// The usual options, but for what a test changes.
    init(_ change: (inout ManagedDocument.Options) -> Void) {
        self.init()
        change(&self)
    }

    /// For a document that is written only when a test says so.
    static func savedByHand(
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) -> ManagedDocument.Options {
        ManagedDocument.Options {
            $0.autosave = nil
            change(&$0)
        }
    }

    /// For one that exchanges commits only when a test says so, too.
    static func exchangedByHand(
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) -> ManagedDocument.Options {
        savedByHand {
            $0.synchronizesByItself = false
            change(&$0)
        }
    }
}
