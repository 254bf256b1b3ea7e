import Foundation

/// The model that a document is opened with, and how documents of others become its own.
struct MigrationModel: Sendable {
    let layout: GraphLayout
    let checks: [[Int: ValueCheck]]
    /// What makes the defaults of new objects; empty where only the layout's are known.
    let defaults: [[Int: AttributeDefault]]
    /// The composite attributes that may be missing, by entity.
    let composites: [[OptionalComposite]]
    let plan: MigrationPlan
    /// Whether documents of newer versions are read too, without what the model does not know.
    let readsNewer: Bool
    /// Tells the date of a commit that migrates a document.
    let now: @Sendable () -> Date

    init(
        _ layout: GraphLayout, checks: [[Int: ValueCheck]] = [],
        defaults: [[Int: AttributeDefault]] = [], composites: [[OptionalComposite]] = [],
        plan: MigrationPlan? = nil,
        readsNewer: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.layout = layout
        self.checks = checks
        self.defaults = defaults
        self.composites = composites
        self.plan = plan ?? MigrationPlan(version: layout.schema.version)
        self.readsNewer = readsNewer
        self.now = now
    }

    /// The model of some classes.
    init(_ model: ObjectModel, _ options: ManagedDocument.Options) {
        self.init(
            model.layout, checks: model.checks, defaults: model.defaults,
            composites: model.optionalComposites, plan: options.migration,
            readsNewer: options.opensNewerReadOnly && options.isReadOnly, now: options.now)
    }
}
