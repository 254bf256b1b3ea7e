import PlacesKit

extension ManagedDocument.Options {
    /// The usual options, but for what a test changes.
    init(_ change: (inout ManagedDocument.Options) -> Void) {
        self.init()
        change(&self)
    }
}
