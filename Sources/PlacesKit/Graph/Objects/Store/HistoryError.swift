import Foundation
public import PlacesBase

/// Why a commit of a store cannot be read.
public enum HistoryError: DescribedError, Hashable {
    /// The store no longer keeps the commit.
    case notKept(Int, kept: ClosedRange<Int>)
    /// There is no commit with that number yet.
    case notCommitted(Int, latest: Int)
    /// A later commit migrated the document to another model.
    case migrated(Int, by: Int)
    /// Two snapshots belong to different stores.
    case differentStores

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .notKept(let number, let kept):
            """
            Commit \(number) is not kept: there are commits \(kept.lowerBound) to \
            \(kept.upperBound). Raise historyLimit before the commits are made, open the document \
            with keepsHistory, or keep a snapshot.
            """
        case .notCommitted(let number, let latest):
            """
            There is no commit \(number) yet: the latest is \(latest). Ask for one up to that, or wait \
            until it is made.
            """
        case .migrated(let number, let migration):
            """
            What came after commit \(number) was made with another model: commit \(migration) migrated \
            the document. Take the objects as they are after that, and follow from there.
            """
        case .differentStores:
            "The snapshots are of different stores. Compare snapshots of one store."
        }
    }
}
