import Foundation
public import PlacesGraph

/// A mistake that a ``ResultsRecorder`` found in a results change.
public struct ResultsMismatch: DescribedError, Hashable {
    /// The finding in a sentence.
    public let description: String

    private init(_ description: String) { self.description = description }

    package static func differentList(
        _ moment: String, expected: String, found: String
    ) -> Self {
        Self("The list \(moment) should be \(expected), but is \(found).")
    }

    package static func notThere(item: String, _ position: ItemPosition) -> Self {
        Self("\(item) is not at \(position).")
    }

    package static func noPlace(item: String, _ position: ItemPosition) -> Self {
        Self("\(item) cannot be put at \(position), for the list does not reach so far.")
    }

    package static func sectionNotThere(name: String, _ index: Int) -> Self {
        Self("There is no section “\(name)” at \(index).")
    }

    package static func noPlaceForSection(name: String, _ index: Int) -> Self {
        Self("Section “\(name)” cannot be put at \(index), for there are not so many.")
    }

    package static func sectionNotRenamed(name: String) -> Self {
        Self("Section “\(name)” is renamed to what it is called already.")
    }

    package static func sectionNotEmpty(name: String, items: String) -> Self {
        Self("Section “\(name)” is deleted, but nothing tells where \(items) went.")
    }

    package static func reportedTwice(item: String) -> Self {
        Self("\(item) is reported more than once.")
    }

    package static func untouched(item: String) -> Self {
        Self("\(item) is reported, but did not change.")
    }

    package static func unreported(item: String) -> Self {
        Self("\(item) changed, but is not reported.")
    }

    package static func survives(item: String) -> Self {
        Self("\(item) is reported as deleted or inserted, but is there before and after.")
    }

    package static func needlessSectionEdit(name: String) -> Self {
        Self("Section “\(name)” is deleted and inserted, but is there before and after.")
    }

    package static func tooManySectionMoves(found: Int, needed: Int) -> Self {
        Self("There are \(found) moves of sections where \(needed) are enough.")
    }

    package static func tooManyMoves(found: Int, needed: Int) -> Self {
        Self("There are \(found) moves where \(needed) are enough.")
    }
}
