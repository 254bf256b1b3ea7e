import Foundation
import PlacesKit

/// PlacesKit: managed objects, relationships with inverses, and a save to the store after changes.
final class PlacesKitOO7: OO7Contestant {
    let name = "placeskit"
    private let world: OO7World
    private let store: GraphStore
    private let context: ManagedObjectContext
    private var added: [OO7.Composite] = []

    init(_ world: OO7World) throws {
        self.world = world
        store = try GraphStore(model: OO7.classes)
        context = ManagedObjectContext(store)
        try OO7.insert(world, into: context)
    }

    func trial(for workload: OO7Workload) throws -> Trial {
        switch workload {
        case .walk: try walking(context)
        case .coldWalk: coldWalk
        case .observableWalk: try observableWalk()
        case .rootWalk: try rootWalk(context)
        case .update: try updating { part in (part.x, part.y) = (part.y, part.x) }
        case .indexedUpdate:
            try updating { part in part.buildDate += part.buildDate.isMultiple(of: 2) ? 1 : -1 }
        case .lookup: lookUp
        case .documentUses: documentUses
        case .outdated: outdated
        case .documentedParts: documentedParts
        case .insertion: insert
        case .deletion: delete
        }
    }

    // MARK: - Walks

    private static func root(in context: ManagedObjectContext) throws -> OO7.Assembly {
        let request = FetchRequest<OO7.Assembly>(predicate: #Predicate { $0.parent == nil })
        guard let root = try context.fetch(request).first else { throw MissingRoot() }
        return root
    }

    private func walking(_ context: ManagedObjectContext) throws -> Trial {
        let root = try Self.root(in: context)
        return { round in
            round.measure {
                var walk = Walk { _ in }
                walk.visit(root)
                return walk.checksum
            }
        }
    }

    /// A walk that finds no objects and leaves none.
    private func coldWalk(_ round: inout Round) throws -> Checksum {
        let context = ManagedObjectContext(store)
        context.keptObjectLimit = 1
        let root = try Self.root(in: context)
        return round.measure {
            var walk = Walk { _ in }
            walk.visit(root)
            return walk.checksum
        }
    }

    /// The command runs on the main actor.
    private func observableWalk() throws -> Trial {
        let walk = try MainActor.assumeIsolated {
            [store] in
            let context = ManagedObjectContext(store)
            let root = try Self.root(in: context)
            return UncheckedTrial { [context] round in
                defer { withExtendedLifetime(context) {} }
                return round.measure {
                    var walk = Walk { _ in }
                    walk.visit(root)
                    return walk.checksum
                }
            }
        }
        return walk.trial
    }

    private struct UncheckedTrial: @unchecked Sendable {
        let trial: Trial
        init(_ trial: @escaping Trial) { self.trial = trial }
    }

    private func rootWalk(_ context: ManagedObjectContext) throws -> Trial {
        let root = try Self.root(in: context)
        return { round in
            round.measure {
                var checksum = Checksum()
                Self.forEachComposite(below: root) { composite in
                    if let part = composite.root { checksum.add(part.x) }
                }
                return checksum
            }
        }
    }

    private func updating(_ act: @escaping (OO7.Part) -> Void) throws -> Trial {
        let root = try Self.root(in: context)
        return { [context] round in
            try round.measure {
                var walk = Walk(act)
                walk.visit(root)
                try context.save()
                return walk.checksum
            }
        }
    }

    private struct Walk {
        let act: (OO7.Part) -> Void
        var checksum = Checksum()
        var visited: Set<Int> = []

        init(_ act: @escaping (OO7.Part) -> Void) { self.act = act }

        mutating func visit(_ root: OO7.Assembly) {
            PlacesKitOO7.forEachComposite(below: root) { composite in
                visited.removeAll(keepingCapacity: true)
                if let part = composite.root { visit(part) }
            }
        }

        private mutating func visit(_ part: OO7.Part) {
            guard visited.insert(part.number).inserted else { return }
            act(part)
            checksum.add(part.x)
            for connection in part.connections {
                if let destination = connection.destination { visit(destination) }
            }
        }
    }

    private static func forEachComposite(
        below assembly: OO7.Assembly, _ body: (OO7.Composite) -> Void
    ) {
        for child in assembly.children { forEachComposite(below: child, body) }
        for composite in assembly.composites { body(composite) }
    }

    // MARK: - Queries

    private func lookUp(_ round: inout Round) throws -> Checksum {
        try round.measure {
            var checksum = Checksum()
            for number in world.lookedUpParts {
                if let part = try context.find(OO7.Part.self, \.number, number) {
                    checksum.add(part.x)
                }
            }
            return checksum
        }
    }

    private func documentUses(_ round: inout Round) throws -> Checksum {
        try round.measure {
            var checksum = Checksum()
            for title in world.lookedUpTitles {
                guard let document = try context.find(OO7.Document.self, \.title, title),
                    let composite = document.composite
                else { continue }
                for base in composite.uses { checksum.add(base.number) }
            }
            return checksum
        }
    }

    private func outdated(_ round: inout Round) throws -> Checksum {
        try round.measure {
            var checksum = Checksum()
            let request = FetchRequest<OO7.Assembly>(
                predicate: #Predicate { base in
                    base.composites.contains { $0.buildDate > base.buildDate }
                })
            for base in try context.fetch(request) { checksum.add(base.number) }
            return checksum
        }
    }

    private func documentedParts(_ round: inout Round) throws -> Checksum {
        try round.measure {
            var checksum = Checksum()
            for part in try context.fetch(OO7.Part.self) {
                if let document = try context.find(OO7.Document.self, \.number, part.document) {
                    checksum.add(part.number &* document.number)
                }
            }
            return checksum
        }
    }

    // MARK: - Changes

    func insertAdditions() throws {
        added = try world.additions.map { addition in
            let users = try addition.users.compactMap {
                try context.find(OO7.Assembly.self, \.number, $0)
            }
            return OO7.insert(addition, in: users, into: context)
        }
        try context.save()
    }

    func deleteAdditions() throws {
        for composite in added { context.delete(composite) }
        added = []
        try context.save()
    }

    func counts() throws -> [Int] {
        let composites = try context.fetch(OO7.Composite.self)
        return try [
            context.count(OO7.Part.self), context.count(OO7.Document.self),
            composites.reduce(0) { $0 + $1.uses.count },
        ]
    }
}

/// No assembly has no parent.
private struct MissingRoot: Error {}
