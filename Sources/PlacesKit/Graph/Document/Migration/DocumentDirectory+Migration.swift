import PlacesBase
import Foundation

extension DocumentDirectory {
    /// Reads what the document holds, or held after an earlier commit that is kept, as a model has it.
    ///
    /// Files of the same properties are read straight into the model's columns. Others are read as what
    /// they are, and their graph is migrated. What cannot be read as the model's, though its properties
    /// are the same, such as values that have to be unique by now, is no damage then.
    ///
    /// A document that was migrated has one commit more.
    ///
    /// Objects keep the defaults that are `known` of a document that was read before, and is not written.
    /// Who only reads may have commits `withWaiting`, which wait for the log of a shared document.
    func readMigrating(
        _ model: MigrationModel, upTo limit: Int? = nil,
        keeping known: MadeDefaults = MadeDefaults(), withWaiting: Bool = false,
        progress: Progress? = nil
    ) throws -> DocumentContent {
        func read(
            _ layout: GraphLayout?, checks: [[Int: ValueCheck]], _ progress: Progress?
        ) throws -> DocumentContent {
            try withWaiting
                ? readWithWaiting(layout, checks: checks, progress: progress)
                : self.read(layout, checks: checks, upTo: limit, progress: progress)
        }
        do {
            return try read(model.layout, checks: model.checks, progress)
        } catch let failure as DocumentError {
            guard failure.mayBeMigrated else { throw failure }
            var content: DocumentContent
            do {
                content = try read(nil, checks: [], progress)
            } catch {
                guard case .differentModel = failure else { throw failure }
                throw error
            }
            content.isOfNewerModel = content.graph.schema.version > model.plan.version
            do {
                (content.graph, content.madeDefaults) = try migrate(
                    content.graph, to: model, keeping: known)
            } catch DocumentError.migration(let path, let errors) {
                // Of a model that differs only in what values may be, the first wrong one was met already.
                guard case .damaged(let file, let error) = failure else {
                    throw DocumentError.migration(path: path, errors)
                }
                throw DocumentError.migration(
                    path: path, errors + [.firstValue(in: file, at: error)])
            }
            content.position = nil
            if limit == nil, !isReadOnly {
                content.isMigrated = true
                content.commit = Commit(
                    number: content.commit.number + 1, date: model.now(), author: nil)
            }
            return content
        }
    }

    private func migrate(
        _ graph: Graph, to model: MigrationModel, keeping known: MadeDefaults
    ) throws -> (Graph, MadeDefaults) {
        let version = graph.schema.version
        let isNewer = version > model.plan.version
        if isNewer, !model.readsNewer {
            throw DocumentError.newerModel(
                path: path.description, found: version, supported: model.plan.version)
        }
        do {
            var graph = graph
            var inserted: Set<ObjectID> = []
            if !isNewer {
                for stage in model.plan.stages(after: version) {
                    graph = try MigrationRecords.run(stage, on: graph, inserted: &inserted)
                }
            }
            let match = MigrationMatch(from: graph.layout, to: model.layout)
            guard match.entities.contains(where: { $0 != nil }) else {
                throw MigrationError.otherDocument(entities: graph.schema.entities.map(\.name))
            }
            let abstract = inserted.filter { id in
                guard let number = graph.layout.entityNumber(of: id),
                    let successor = match.successors[number],
                    model.layout.entities[successor].isAbstract,
                    case let table = graph.layout.entities[number].table,
                    let row = graph.row(of: id, in: table)
                else { return false }
                return graph.contains(row, in: table)
            }
            if let first = abstract.min(by: { $0.number < $1.number }) {
                throw MigrationError.abstractEntity(count: abstract.count, object: first)
            }
            let (migrated, made, errors) = try GraphMigration.migrate(
                graph, to: model.layout, checks: model.checks, defaults: model.defaults,
                composites: model.composites, keeping: known, isNewer ? .nothing : .all)
            guard errors.isEmpty else {
                throw DocumentError.migration(path: path.description, errors)
            }
            return (migrated, made)
        } catch let error as MigrationError {
            throw DocumentError.migration(path: path.description, [error])
        }
    }
}

extension DocumentError {
    /// Whether a document whose reading failed may be one of another model.
    fileprivate var mayBeMigrated: Bool {
        switch self {
        case .differentModel: true
        case .damaged(_, let error):
            if case .invalidValue = error.kind { true } else { false }
        default: false
        }
    }
}
