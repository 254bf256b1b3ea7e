public import Foundation
public import Observation

/// A list that is ready to be shown, on whatever screen: rows of texts in sections, with search, selection and
/// deletion, kept current as the objects change.
///
/// Usually there are three things to say: what to ask, and which properties are the title and the subtitle.
///
/// ```swift
/// let places = try ListController(
///     FetchRequest<Place>(sortBy: [SortDescriptor(\.name)]),
///     title: \.name, subtitle: \.country, searching: [\.name], in: context)
/// places.onChange = { table.apply($0.difference) }
/// print(places.sections[0].rows[2].title)
/// ```
///
/// - A list that asks nothing has no sections and no rows. Asking something else, or nothing, is told as the
///   difference, like any other change.
/// - A row is updated when a property of its object changes, or one that its title or subtitle reads across
///   to-one relationships. What a computed property reads of other objects is not known.
/// - A list that is let go tells nothing more.
///
/// See <doc:Lists>.
public final class ListController<Object: ManagedObject>: Observable {
    /// The context that the objects belong to.
    public let context: ManagedObjectContext
    /// The property that is a row's subtitle, if rows have one.
    package let subtitleKey: PartialKeyPath<Object>?
    /// The property that is a row's small picture, if rows have one.
    package let thumbnailKey: KeyPath<Object, Data?>?
    /// The attributes of text that are searched, also across to-one relationships.
    package let searchKeys: [PartialKeyPath<Object>]
    private let givenTitleKey: PartialKeyPath<Object>?
    let table: ObjectTable

    /// What the list is called: its entity, unless you call it something else.
    public var title = Object.entityName
    /// Gives what to say of a list without rows, when that is asked.
    public var emptyMessage: () -> String = { "Nothing here." }
    /// Gives the header of a section from its name, which stays what it is.
    public var sectionTitle: (String) -> String = { $0 }
    /// Gives the title that stands for a section in an index beside the list, from its name.
    public var sectionIndexTitle: (String) -> String = { $0.prefix(1).uppercased() }
    /// Whether the row of an object can be deleted; none can unless you say so.
    public var canDelete: (Object) -> Bool = { _ in false }
    /// What it means to delete a row: that its object is deleted, unless you say something else.
    ///
    /// Mostly a property is changed, so that the request does not ask for the object any more.
    public var onDelete: (Object) throws -> Void = { $0.context?.delete($0) }
    /// Called with each change, on the context's isolation.
    public var onChange: ((ResultsChange<ObjectID>) -> Void)?
    /// Called with a line for each fetch and each change, for somebody who looks for a mistake.
    public var log: ((String) -> Void)?
    /// The text that is searched for; none if it is empty.
    public private(set) var searchText = ""

    /// What the list shows, but for the search; `nil` while nothing is asked.
    public var request: FetchRequest<Object>? { asked?.request }
    private var asked: (request: FetchRequest<Object>, section: PartialKeyPath<Object>?)?
    /// What keeps the list current, or why nothing does; `nil` while nothing is asked.
    private var answer: Result<FetchedResultsController<Object>, ContextError>?
    private var selected: Object?
    private let registrar = ObservationRegistrar()

    /// Makes a list that asks nothing yet.
    ///
    /// - Parameters:
    ///   - title: The property that is a row's title; without it the first that rows are sorted by.
    ///   - subtitle: The property that is a row's subtitle.
    ///   - thumbnail: The property that is a row's small picture.
    ///   - searchKeys: The attributes of text that are searched; without any nothing is found.
    ///   - context: The context that the objects belong to.
    /// - Throws: `ContextError.unknownClass`.
    public init(
        title: PartialKeyPath<Object>? = nil, subtitle: PartialKeyPath<Object>? = nil,
        thumbnail: KeyPath<Object, Data?>? = nil,
        searching searchKeys: [PartialKeyPath<Object>] = [], in context: ManagedObjectContext
    ) throws(ContextError) {
        self.context = context
        table = try context.table(of: Object.self)
        givenTitleKey = title
        subtitleKey = subtitle
        thumbnailKey = thumbnail
        self.searchKeys = searchKeys
    }

    /// Makes a list that shows what a request asks.
    ///
    /// - Throws: `ContextError.unknownClass`, or `ContextError.malformedPredicate`.
    public convenience init(
        _ request: FetchRequest<Object>, sectionBy section: PartialKeyPath<Object>? = nil,
        title: PartialKeyPath<Object>? = nil, subtitle: PartialKeyPath<Object>? = nil,
        thumbnail: KeyPath<Object, Data?>? = nil,
        searching searchKeys: [PartialKeyPath<Object>] = [], in context: ManagedObjectContext
    ) throws(ContextError) {
        try self.init(
            title: title, subtitle: subtitle, thumbnail: thumbnail, searching: searchKeys,
            in: context)
        try show(request, sectionBy: section)
    }

    // MARK: - Asking

    /// What keeps the list current; `nil` while nothing is asked.
    var results: FetchedResultsController<Object>? {
        registrar.access(self, keyPath: \.results)
        return try? answer?.get()
    }

    /// The property that is a row's title.
    package var titleKey: PartialKeyPath<Object>? {
        givenTitleKey ?? request?.sortDescriptors.first?.keyPath
    }

    /// Why the list may miss rows: the request was refused, or a regular expression of it took too many steps.
    public var error: ContextError? {
        registrar.access(self, keyPath: \.error)
        return answer?.error ?? results?.error
    }

    /// Shows what a request asks, and tells the difference from what was shown.
    ///
    /// A search goes on in what is asked now.
    ///
    /// - Parameters:
    ///   - request: The objects and their order.
    ///   - section: The property that the objects of a section have in common; without it all are in one.
    /// - Throws: `ContextError.malformedPredicate`, or `ContextError.notText`; the list is empty then, and
    ///   ``error`` and ``message`` say why.
    /// - Complexity: O(n log n) for n objects.
    public func show(
        _ request: FetchRequest<Object>, sectionBy section: PartialKeyPath<Object>? = nil
    ) throws(ContextError) {
        asked = (request, section)
        do throws(ContextError) {
            var request = request
            request.searchFormat = try context.store.model.format(
                searching: searchText, in: searchKeys)
            try ask(request, section.map(SectionRule.init(describing:)))
        } catch {
            log?("\(title): \(error)")
            replace(.failure(error))
            throw error
        }
    }

    private func ask(
        _ request: FetchRequest<Object>, _ rule: SectionRule<Object>?
    ) throws(ContextError) {
        let results: FetchedResultsController<Object>
        if case .success(let current) = answer {
            results = current
            try current.setRequest(request, sections: rule)
        } else {
            results = try FetchedResultsController(
                request, sections: rule, reading: [titleKey, subtitleKey].compactMap(\.self),
                in: context, isLive: true)
            replace(.success(results))
        }
        log?("\(title): fetched \(results.summary)")
    }

    /// Asks nothing, and shows nothing.
    package func showNothing() {
        asked = nil
        replace(nil)
    }

    private func replace(_ new: Result<FetchedResultsController<Object>, ContextError>?) {
        let (old, before) = (answer, snapshot)
        let (current, next) = (try? old?.get(), try? new?.get())
        if old?.error != new?.error { registrar.willSet(self, keyPath: \.error) }
        if current !== next { registrar.willSet(self, keyPath: \.results) }
        answer = new
        if old?.error != new?.error { registrar.didSet(self, keyPath: \.error) }
        guard current !== next else { return }
        registrar.didSet(self, keyPath: \.results)
        current?.onChange = nil
        next?.onChange = { [weak self] in self?.take($0) }
        take(ResultsChange(from: before, to: snapshot, touched: [:]))
    }

    private func take(_ change: ResultsChange<ObjectID>) {
        log?("\(title): \(change.difference.summary), now \(change.after.itemCount) rows")
        onChange?(change)
    }

    /// Shows only the objects that have a text in one of the searched properties, whatever its case and accents;
    /// an empty text shows again what was shown without a search.
    ///
    /// - Throws: What ``show(_:sectionBy:)`` throws.
    /// - Complexity: O(n log n) for n objects.
    public func search(_ text: String) throws(ContextError) {
        guard text != searchText else { return }
        searchText = text
        try reload()
    }

    /// Asks once more for what is shown, which is needed only where a computed property reads something else than
    /// objects.
    ///
    /// - Throws: What ``show(_:sectionBy:)`` throws.
    /// - Complexity: O(n log n) for n objects.
    public func reload() throws(ContextError) {
        guard let asked else { return }
        try show(asked.request, sectionBy: asked.section)
    }

    // MARK: - Selection

    /// The object whose row is selected, wherever that is, or if it is not shown at the moment; `nil` for none, and
    /// when the object is deleted.
    public var selection: Object? {
        get {
            registrar.access(self, keyPath: \.selection)
            return selected?.isDeleted == false ? selected : nil
        }
        set { registrar.withMutation(of: self, keyPath: \.selection) { selected = newValue } }
    }
}

extension Result {
    /// The error, if it is one.
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension ListController {
    /// What is shown, as a value; without sections while nothing is asked.
    public var snapshot: ResultsSnapshot<ObjectID> {
        results?.snapshot ?? ResultsSnapshot(exactly: [])
    }
}

@available(*, unavailable)
extension ListController: Sendable {}
