/// How to migrate documents of earlier versions of a model to this one.
///
/// PlacesKit migrates added, removed, renamed and retyped attributes, relationships and entities
/// without a stage. Write a stage for a change that only you know:
///
/// ```swift
/// var options = ManagedDocument.Options()
/// options.migration = MigrationPlan(version: 2, stages: [
///     MigrationStage(from: 1, to: 2) { records in
///         try records.changeSchema { try $0.addAttribute("fullName", .string, to: "Person") }
///         for person in try records.records(of: "Person") {
///             guard case .string(let first) = person["first"],
///                 case .string(let last) = person["last"]
///             else { continue }
///             person["fullName"] = .string("\(first) \(last)")
///         }
///     }
/// ])
/// ```
/// The version is written into the document. A document without one has version 1. See
/// <doc:Migration>.
public struct MigrationPlan: Sendable {
    /// The version of the model, from 1 on.
    public var version: Int
    /// Your own changes, besides those that PlacesKit makes by itself.
    public var stages: [MigrationStage]

    /// Makes a plan; the default is version 1 without stages.
    public init(version: Int = 1, stages: [MigrationStage] = []) {
        self.version = version
        self.stages = stages
    }

    /// The stages that lead from a version to that of the plan, in their order.
    func stages(after version: Int) -> [MigrationStage] {
        stages.filter { $0.from >= version }.sorted { $0.from < $1.from }
    }

    /// What is wrong with the plan.
    package var problem: String? {
        guard (1...Int(Int32.max)).contains(version) else {
            return """
                The plan has version \(version), and versions go from 1 to \(Int32.max). Give it one of \
                these.
                """
        }
        var last = 1
        for stage in stages.sorted(by: { $0.from < $1.from }) {
            guard stage.from >= last, stage.to > stage.from, stage.to <= version else {
                return """
                    The stage from version \(stage.from) to \(stage.to) begins before another ends, or \
                    leads beyond version \(version) or nowhere. Let each lead to a later version, one \
                    after the other.
                    """
            }
            last = stage.to
        }
        return nil
    }
}

/// One step of a migration: your own changes to the records of a document.
public struct MigrationStage: Sendable {
    /// The version of a document before the stage.
    public let from: Int
    /// The version of a document after the stage.
    public let to: Int
    let body: @Sendable (MigrationRecords) throws -> Void

    /// Makes a stage.
    ///
    /// - Parameters:
    ///   - from: The version before.
    ///   - to: The version after.
    ///   - body: Changes the records, on a thread of the document's own. If it throws, the document
    ///     stays as it was.
    public init(
        from: Int, to: Int, _ body: @escaping @Sendable (MigrationRecords) throws -> Void
    ) {
        self.from = from
        self.to = to
        self.body = body
    }
}
