public import Foundation
public import Observation

/// A list for any user interface: rows of text in sections, kept up to date as objects change.
///
/// It has search, selection and deletion.
///
/// You usually set three things: the request, and the properties for the title and the subtitle.
///
/// ```swift
/// let places = try ListController(
///     FetchRequest<Place>(sortBy: [SortDescriptor(\.name)]),
///     title: \.name, subtitle: \.country, searching: [\.name], in: context)
/// places.onChange = { table.apply($0.difference) }
/// print(places.sections[0].rows[2].title)
/// ```
///
/// - A list without a request has no sections and no rows. If you change or remove the request, the
///   list reports the difference like any other change.
/// - The list updates a row when a property of its object changes, or a property that its title or
///   subtitle reads across to-one relationships. It does not know what a computed property reads of
///   other objects.
/// - A list that was released reports nothing more.
///
/// See <doc:Lists>.
public final class ListController<Object: ManagedObject>: Observable {
    /// The context to which the objects belong.
    public let context: ManagedObjectContext
    /// The property that is a row's subtitle, if rows have one.
    package let subtitleKey: PartialKeyPath<Object>?
    /// The property that is a row's small picture, if rows have one.
    package let thumbnailKey: KeyPath<Object, Data?>?
    /// The attributes of text that are searched, also across to-one relationships.
    package let searchKeys: [PartialKeyPath<Object>]
    private let givenTitleKey: PartialKeyPath<Object>?
    let table: ObjectTable

    /// The title of the list: the name of its entity, unless you set another.
    public var title = Object.entityName
    /// Makes the text for a list without rows, when it is needed.
    public var emptyMessage: () -> String = { "Nothing here." }
    /// Makes the header of a section from its name; the name itself does not change.
    public var sectionTitle: (String) -> String = { $0 }
    /// Makes the title of a section for an index beside the list, from the section's name.
    public var sectionIndexTitle: (String) -> String = { $0.prefix(1).uppercased() }
    /// Tells whether the row of an object can be deleted; by default none can.
    public var canDelete: (Object) -> Bool = { _ in false }
    /// Deletes a row: by default it deletes the object.
    ///
    /// Often it changes a property instead, so that the request no longer matches the object.
    public var onDelete: (Object) throws -> Void = { $0.context?.delete($0) }
    /// The list calls this with each change, on the context's isolation.
    public var onChange: ((ResultsChange<ObjectID>) -> Void)?
    /// The list calls this with a line for each fetch and each change, for debugging.
    public var log: ((String) -> Void)?

    private var searched = ""
    private var asked:
        (
            request: FetchRequest<Object>, rule: SectionRule<Object>?,
            titleKey: PartialKeyPath<Object>?
        )?
    /// What keeps the list current, or why nothing does; `nil` while nothing is asked.
    private var answer: Result<FetchedResultsController<Object>, ContextError>?
    /// Whether what is asked next is paused from the start.
    var isPausedNext = false
    /// What was selected last; once it is deleted it is the selection no more.
    var selected: Object?
    private let registrar = ObservationRegistrar()

    /// Makes a list without a request.
    ///
    /// - Parameters:
    ///   - title: The property for a row's title; by default the property of the first sort
    ///     descriptor.
    ///   - subtitle: The property for a row's subtitle.
    ///   - thumbnail: The property for a row's small picture.
    ///   - searchKeys: The text attributes to search; without any, a search finds nothing.
    ///   - context: The context to which the objects belong.
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

    /// Makes a list of the objects of a request.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
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

    deinit {
        // As what is shown, the selected object ends where the context is used.
        var last = selected.take()
        if last != nil { context.listeners.finish { last = nil } }
    }

    // MARK: - Asking

    /// The text that the list searches for; empty if there is no search.
    public var searchText: String {
        registrar.access(self, keyPath: \.searchText)
        return searched
    }

    /// The request of the list, without the search; `nil` while there is none.
    public var request: FetchRequest<Object>? {
        registrar.access(self, keyPath: \.request)
        return asked?.request
    }

    /// What keeps the list current; `nil` while nothing is asked.
    var results: FetchedResultsController<Object>? {
        registrar.access(self, keyPath: \.results)
        return try? answer?.get()
    }

    /// The property that is a row's title.
    package var titleKey: PartialKeyPath<Object>? {
        if let givenTitleKey { return givenTitleKey }
        registrar.access(self, keyPath: \.request)
        return asked?.titleKey
    }

    /// Why rows may be missing; `nil` if none is missing.
    ///
    /// The request was refused, or one of its regular expressions took too many steps.
    public var error: ContextError? {
        registrar.access(self, keyPath: \.error)
        return answer?.error ?? results?.error
    }

    /// Shows the objects of a request, and reports the difference from the previous ones.
    ///
    /// The current search applies to the new request too.
    ///
    /// - Parameters:
    ///   - request: Which objects to show, in which order.
    ///   - section: The property whose value the objects of a section share; without it, all are in
    ///     one.
    /// - Throws: What `ManagedObjectContext.fetch` throws; `ContextError.notText` also if a searched
    ///   attribute is not text. The list is then empty, and ``error`` and ``message`` say why. If the list shows a request
    ///   already, `ContextError.patternTooCostly` is not thrown, but only becomes the ``error``.
    /// - Complexity: O(n log n) for n objects.
    public func show(
        _ request: FetchRequest<Object>, sectionBy section: PartialKeyPath<Object>? = nil
    ) throws(ContextError) {
        try show(request, section.map(SectionRule.init(describing:)))
    }

    /// Shows the objects of a request in sections that a rule makes, and reports the difference.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws; `ContextError.notText` also if a searched
    ///   attribute is not text. The list is then empty, and ``error`` and ``message`` say why. If the list shows a request
    ///   already, `ContextError.patternTooCostly` is not thrown, but only becomes the ``error``.
    /// - Complexity: O(n log n) for n objects.
    public func show(
        _ request: FetchRequest<Object>, sectionBy rule: SectionRule<Object>
    ) throws(ContextError) {
        try show(request, .some(rule))
    }

    private func show(
        _ request: FetchRequest<Object>, _ rule: SectionRule<Object>?
    ) throws(ContextError) {
        // Looked for once, for each row asks for it.
        let titleKey = request.sortDescriptors.lazy.compactMap(\.shownKey).first
        registrar.withMutation(of: self, keyPath: \.request) { asked = (request, rule, titleKey) }
        try reload()
    }

    private func ask(
        _ request: FetchRequest<Object>, _ rule: SectionRule<Object>?
    ) throws(ContextError) {
        let results: FetchedResultsController<Object>
        let reading = [titleKey, subtitleKey].compactMap(\.self)
        if case .success(let current) = answer {
            results = current
            try current.setRequest(request, sections: rule, reading: reading)
        } else {
            results = try FetchedResultsController(
                request, sections: rule, reading: reading, in: context, isLive: true)
            results.isPaused = isPausedNext
            replace(.success(results))
        }
        log?("\(title): fetched \(results.summary)")
    }

    private func replace(_ new: Result<FetchedResultsController<Object>, ContextError>) {
        let (old, before) = (answer, snapshot)
        let (current, next) = (try? old?.get(), try? new.get())
        if old?.error != new.error { registrar.willSet(self, keyPath: \.error) }
        if current !== next { registrar.willSet(self, keyPath: \.results) }
        answer = new
        if old?.error != new.error { registrar.didSet(self, keyPath: \.error) }
        guard current !== next else { return }
        registrar.didSet(self, keyPath: \.results)
        current?.onChange = nil
        next?.onChange = { [weak self] in self?.take($0) }
        take(ResultsChange(from: before, to: snapshot, touched: [:]))
    }

    private func take(_ change: ResultsChange<ObjectID>) {
        log?("\(title): \(change.difference.summary), now \(change.after.identifiers.count) rows")
        onChange?(change)
    }

    /// Shows only the objects that contain a text in one of the searched properties.
    ///
    /// Case and accents do not matter. An empty text ends the search.
    ///
    /// - Throws: What `show(_:sectionBy:)` throws.
    /// - Complexity: O(n log n) for n objects.
    public func search(_ text: String) throws(ContextError) {
        guard text != searched else { return }
        registrar.withMutation(of: self, keyPath: \.searchText) { searched = text }
        try reload()
    }

    /// Fetches again what the list shows.
    ///
    /// You need this only if a computed property reads something other than objects.
    ///
    /// - Throws: What `show(_:sectionBy:)` throws.
    /// - Complexity: O(n log n) for n objects.
    public func reload() throws(ContextError) {
        guard let asked else { return }
        do throws(ContextError) {
            var request = asked.request
            request.searchFormat = try context.store.model.format(
                searching: searched, in: searchKeys)
            try ask(request, asked.rule)
        } catch {
            log?("\(title): \(error)")
            replace(.failure(error))
            throw error
        }
    }

    // MARK: - Selection

    /// The object whose row is selected, shown or not; `nil` for none.
    ///
    /// It becomes `nil` when the object is deleted.
    public var selection: Object? {
        get {
            registrar.access(self, keyPath: \.selection)
            return selected?.isDeleted == false ? selected : nil
        }
        set { registrar.withMutation(of: self, keyPath: \.selection) { selected = newValue } }
    }
}

extension SortDescriptor where Compared: ManagedObject {
    /// The property that it sorts by; `nil` for a distance or the like, which is nothing to show.
    fileprivate var shownKey: PartialKeyPath<Compared>? {
        guard let keyPath, isOrderedValue(type(of: keyPath).valueType) else { return keyPath }
        let value = Prototypes.example(of: keyPath) as? any OrderedValue
        return value?.shown as? PartialKeyPath<Compared>
    }
}

extension Result {
    /// The error, if it is one.
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension ListController {
    /// The current results, as a value; without sections while the list has no request.
    public var snapshot: ResultsSnapshot<ObjectID> {
        results?.snapshot ?? ResultsSnapshot(exactly: [])
    }
}

@available(*, unavailable)
extension ListController: Sendable {}
