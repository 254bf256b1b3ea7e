/// The contexts that are forks of another one, and what that one showed since: to them it is what commits of
/// others are to a context of a store.
///
/// What is shown has a number, which is the version of the context's transaction.
///
/// - Invariant: Nothing is remembered where there is no child.
/// - Invariant: Numbers only ascend.
struct ChildForks {
    private struct Shown {
        var children = 0
        var changes: RecentChanges
    }

    private var shown: Shown?

    /// Whether there is no child.
    var isEmpty: Bool { shown == nil }

    /// Counts one more child, which forks what is shown as of a number.
    mutating func add(showing number: Int) {
        shown = shown ?? Shown(changes: RecentChanges(after: number))
        shown?.children += 1
    }

    /// Counts one child less.
    mutating func remove() {
        shown?.children -= 1
        if shown?.children == 0 { shown = nil }
    }

    /// Remembers what is shown from a number on.
    mutating func note(_ tables: [TableChanges], as number: Int) {
        shown?.changes.append(tables, of: number)
    }

    /// Forgets what was shown up to a number: nobody knows all of it.
    mutating func forget(upTo number: Int) {
        shown?.changes = RecentChanges(after: number)
    }

    /// What was shown after one number and up to another; `nil` where that is not remembered.
    func changes(since number: Int, upTo last: Int) -> [[TableChanges]]? {
        shown?.changes.changes(since: number, upTo: last)
    }
}
