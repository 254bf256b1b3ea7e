/// What a save does with a new object that has the unique value, or the unique combination, of another.
///
/// ```swift
/// final class Photo: ManagedObject {
///     @Attribute(.unique(onClash: .update)) var address: String
///     @Attribute var owner: String?
///     @Attribute var number: Int
///
///     override class var constraints: [EntityConstraint] {
///         [.unique(\Photo.owner, \Photo.number, onClash: .fail)]
///     }
/// }
/// ```
///
/// A new object that becomes another is deleted by the save, and what referred to it refers to the other
/// one. It becomes only an object of its own class: the one that was saved first, else the one that was
/// inserted first. Two saved objects never become one: a save that gives them one value is refused.
///
/// - In ordered relationships the other one gets its place, unless it has one there already.
/// - A partner in a one-to-one relationship that does not cascade refers to it, too: it becomes the partner of
///   the other one. If that one keeps a partner of its own, it gets none.
/// - If its members clash with those of the other object then, their constraint decides in turn.
/// - What it leads to through a cascading to-one relationship is deleted with it, unless something leads to
///   it when all clashes are settled. So is what the other object led to so, and does not any more.
/// - No `prepareForDeletion` and no `willSave` is called for what all that deletes and changes. `validate` is
///   asked about it.
public enum ClashPolicy: Hashable, Sendable, CaseIterable {
    /// The object that is there gets the values that the new one was given, and its members.
    case update
    /// The object that is there keeps its values, and gets the new one's members.
    case keep
    /// The save is refused, whatever the context's merge policy.
    case fail
}
