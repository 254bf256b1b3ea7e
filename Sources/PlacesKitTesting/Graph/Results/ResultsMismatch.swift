public import Foundation
public import PlacesGraph

/// What a ``ResultsRecorder`` found wrong with a results change.
public enum ResultsMismatch: Error, Equatable {
    /// When the list was compared with the change.
    public enum Moment: String, Sendable {
        /// Before anything was replayed.
        case start = "before the change"

        /// After everything was replayed.
        case end = "after the change"
    }

    /// The list is not the one that the change names.
    case differentList(Moment, expected: String, found: String)

    /// The item is not at the position from which the change takes it, or where it updates it.
    case notThere(item: String, ItemPosition)

    /// The list has no such position to put the item at.
    case noPlace(item: String, ItemPosition)

    /// The section is not at the index at which the change deletes, moves or renames it.
    case sectionNotThere(name: String, Int)

    /// The list has no such index to put the section at.
    case noPlaceForSection(name: String, Int)

    /// The section is reported as renamed, but has the name that it had.
    case sectionNotRenamed(name: String)

    /// The section is deleted, but not all of its items are deleted or moved.
    case sectionNotEmpty(name: String, items: String)

    /// The item has more than one event.
    case reportedTwice(item: String)

    /// The item has an event, but did not change.
    case untouched(item: String)

    /// The item changed, but has no event.
    case unreported(item: String)

    /// The item is deleted or inserted, but is there both before and after.
    case survives(item: String)

    /// The section is deleted and inserted, but could have stayed or moved.
    case needlessSectionEdit(name: String)

    /// Fewer moves of sections would have explained the change.
    case tooManySectionMoves(found: Int, needed: Int)

    /// Fewer moves would have explained the change.
    case tooManyMoves(found: Int, needed: Int)
}

extension ResultsMismatch: LocalizedError, CustomStringConvertible {
    /// The finding in a sentence.
    public var description: String {
        switch self {
        case .differentList(let moment, let expected, let found):
            "The list \(moment.rawValue) should be \(expected), but is \(found)."
        case .notThere(let item, let position):
            "\(item) is not at \(position)."
        case .noPlace(let item, let position):
            "\(item) cannot be put at \(position), for the list does not reach so far."
        case .sectionNotThere(let name, let index):
            "There is no section “\(name)” at \(index) to delete."
        case .noPlaceForSection(let name, let index):
            "Section “\(name)” cannot be put at \(index), for there are not so many."
        case .sectionNotRenamed(let name):
            "Section “\(name)” is renamed to what it is called already."
        case .sectionNotEmpty(let name, let items):
            "Section “\(name)” is deleted, but nothing tells where \(items) went."
        case .reportedTwice(let item):
            "\(item) is reported more than once."
        case .untouched(let item):
            "\(item) is reported, but did not change."
        case .unreported(let item):
            "\(item) changed, but is not reported."
        case .survives(let item):
            "\(item) is reported as deleted or inserted, but is there before and after."
        case .needlessSectionEdit(let name):
            "Section “\(name)” is deleted and inserted, but is there before and after."
        case .tooManySectionMoves(let found, let needed):
            "There are \(found) moves of sections where \(needed) are enough."
        case .tooManyMoves(let found, let needed):
            "There are \(found) moves where \(needed) are enough."
        }
    }

    /// The finding in a sentence.
    public var errorDescription: String? { description }
}
