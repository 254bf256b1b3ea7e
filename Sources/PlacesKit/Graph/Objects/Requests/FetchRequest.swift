public import Foundation

/// Which objects of a class to fetch, in which order, and how many.
///
/// ```swift
/// let request = FetchRequest<Photo>(
///     predicate: #Predicate { $0.takenAt?.name == "Paris" && $0.isFavorite },
///     sortBy: [SortDescriptor(\.lastViewed, order: .reverse)],
///     limit: 20)
/// ```
///
/// - Objects that are equal under all sort descriptors come in an order that stays while they live.
///   It is mostly the order of insertion, but a new object may take the place of a deleted one.
/// - Going up, `nil` comes before every value, and NaN after every number, in a `Decimal` before; in reverse order it
///   is the other way round. A descriptor may say where `nil` comes, whatever its order: `nils: .last`.
/// - An object for which the predicate throws does not match.
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The class of the objects: `Object`, or one that inherits from it where a class is given as a value.
    ///
    /// Only a request that a context makes of such a class and answers at once has another than `Object`.
    private(set) var objectClass: ManagedObject.Type = Object.self
    /// The condition that the objects satisfy; `nil` for all objects.
    public var predicate: Predicate<Object>?
    /// A further condition, as a function of the time.
    public var timedPredicate: (@Sendable (_ now: Date) -> Predicate<Object>)?
    /// A further condition, written as a format string.
    public var format: PredicateFormat?
    /// A further condition, put together from several.
    public var compound: CompoundPredicate<Object>?
    /// What a search field asks besides, which leaves `format` to the list.
    var searchFormat: PredicateFormat?
    /// Words that the text of the objects must contain as well; `nil` for none.
    public var search: TextSearch<Object>?
    /// The objects from which steps along relationships must lead to the objects; `nil` for no such
    /// condition.
    public var reachable: Reachability<Object>?
    /// The order of the objects, first descriptor first.
    public var sortDescriptors: [SortDescriptor<Object>]
    /// How many objects to fetch at most; `nil` for all.
    public var limit: Int?
    /// How many of the objects to skip.
    public var offset: Int

    /// Describes a fetch.
    ///
    /// - Parameters:
    ///   - predicate: The condition that the objects satisfy; all objects by default.
    ///   - sortDescriptors: The order of the objects, first descriptor first.
    ///   - limit: How many objects to fetch at most; `nil` for all, and none if it is negative.
    ///   - offset: How many of the objects to skip; none if it is negative.
    public init(
        predicate: Predicate<Object>? = nil, sortBy sortDescriptors: [SortDescriptor<Object>] = [],
        limit: Int? = nil, offset: Int = 0
    ) {
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
        self.limit = limit
        self.offset = offset
    }

    /// Describes a fetch of the objects of a class that is a value.
    init(
        of type: Object.Type, predicate: Predicate<Object>? = nil,
        sortBy sortDescriptors: [SortDescriptor<Object>] = [], limit: Int? = nil, offset: Int = 0
    ) {
        self.init(predicate: predicate, sortBy: sortDescriptors, limit: limit, offset: offset)
        objectClass = type
    }

    /// The positions of the window within all matches.
    var window: Range<Int> {
        let start = max(0, offset)
        let (end, isOverflow) = start.addingReportingOverflow(max(0, limit ?? Int.max))
        return start..<(isOverflow ? Int.max : end)
    }
}
