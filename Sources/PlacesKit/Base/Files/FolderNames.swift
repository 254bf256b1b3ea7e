/// The names in a directory, which the system keeps as bytes.
package struct FolderNames: Equatable, Sendable {
    /// Those that are text.
    package var names: [String] = []
    /// Those that are no text, with their bytes written out as in `\xFF`; some may be spelled alike.
    package var spelled: [String] = []
}
