/// The names in a directory, which the system keeps as bytes.
package struct FolderNames: Equatable, Sendable {
    /// The names that are UTF-8.
    package var names: [String] = []
    /// The names that are not UTF-8, with bytes spelled out as in `\xFF`; two may be spelled alike.
    package var spelled: [String] = []
}
