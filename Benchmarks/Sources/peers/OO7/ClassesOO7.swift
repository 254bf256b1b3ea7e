/// Final classes of this module, as one would write them for a program that keeps everything in memory.
final class ClassesOO7: OO7Contestant {
    let name = "classes"
    private let world: OO7World
    private let design: ClassDesign
    private var added: [ClassComposite] = []

    init(_ world: OO7World) {
        self.world = world
        design = ClassDesign(world)
    }

    func trial(for workload: OO7Workload) -> Trial {
        switch workload {
        case .walk, .coldWalk, .observableWalk: walk
        case .rootWalk: rootWalk
        case .update: update
        case .indexedUpdate: indexedUpdate
        case .lookup: lookUp
        case .documentUses: documentUses
        case .outdated: outdated
        case .documentedParts: documentedParts
        case .insertion: insert
        case .deletion: delete
        }
    }

    // MARK: - Walks

    private func walk(_ round: inout Round) -> Checksum {
        round.measure {
            var walk = Walk { _ in }
            walk.visit(design.root)
            return walk.checksum
        }
    }

    private func rootWalk(_ round: inout Round) -> Checksum {
        round.measure {
            var checksum = Checksum()
            Self.forEachComposite(below: design.root) { checksum.add($0.root.x) }
            return checksum
        }
    }

    private func update(_ round: inout Round) -> Checksum {
        round.measure {
            var walk = Walk { part in swap(&part.x, &part.y) }
            walk.visit(design.root)
            return walk.checksum
        }
    }

    private func indexedUpdate(_ round: inout Round) -> Checksum {
        round.measure {
            var walk = Walk { part in part.buildDate += part.buildDate.isMultiple(of: 2) ? 1 : -1 }
            walk.visit(design.root)
            return walk.checksum
        }
    }

    private struct Walk {
        let act: (ClassPart) -> Void
        var checksum = Checksum()
        var visited: Set<Int> = []

        init(_ act: @escaping (ClassPart) -> Void) { self.act = act }

        mutating func visit(_ root: ClassAssembly) {
            ClassesOO7.forEachComposite(below: root) { composite in
                visited.removeAll(keepingCapacity: true)
                visit(composite.root)
            }
        }

        private mutating func visit(_ part: ClassPart) {
            guard visited.insert(part.number).inserted else { return }
            act(part)
            checksum.add(part.x)
            for connection in part.connections { visit(connection.destination) }
        }
    }

    private static func forEachComposite(
        below assembly: ClassAssembly, _ body: (ClassComposite) -> Void
    ) {
        for child in assembly.children { forEachComposite(below: child, body) }
        for composite in assembly.composites { body(composite) }
    }

    // MARK: - Queries

    private func lookUp(_ round: inout Round) -> Checksum {
        round.measure {
            var checksum = Checksum()
            for number in world.lookedUpParts {
                if let part = design.parts[number] { checksum.add(part.x) }
            }
            return checksum
        }
    }

    private func documentUses(_ round: inout Round) -> Checksum {
        round.measure {
            var checksum = Checksum()
            for title in world.lookedUpTitles {
                guard let document = design.documents[title] else { continue }
                for base in document.composite.uses { checksum.add(base.number) }
            }
            return checksum
        }
    }

    private func outdated(_ round: inout Round) -> Checksum {
        round.measure {
            var checksum = Checksum()
            for base in design.bases
            where base.composites.contains(where: { $0.buildDate > base.buildDate }) {
                checksum.add(base.number)
            }
            return checksum
        }
    }

    private func documentedParts(_ round: inout Round) -> Checksum {
        round.measure {
            var checksum = Checksum()
            for part in design.parts.values {
                if let document = design.documentsByNumber[part.document] {
                    checksum.add(part.number &* document.number)
                }
            }
            return checksum
        }
    }

    // MARK: - Changes

    func insertAdditions() { added = world.additions.map(design.insert) }

    func deleteAdditions() { for composite in added { design.delete(composite) } }

    func counts() -> [Int] { design.counts }
}
