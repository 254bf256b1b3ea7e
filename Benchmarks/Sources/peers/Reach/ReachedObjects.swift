import PlacesKit

final class LinkedFolder: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(inverse: \LinkedFolder.parent) var children: ObjectSet<LinkedFolder>
    @Relationship var parent: LinkedFolder?
}

final class LinkedPerson: ManagedObject {
    @Attribute(.unique) var number: Int
    @Relationship(inverse: \LinkedPerson.followers) var follows: ObjectSet<LinkedPerson>
    @Relationship var followers: ObjectSet<LinkedPerson>
}

/// A graph of objects, and a walk over it.
struct ReachedObjects {
    private let workload: ReachWorkload
    private let context: ManagedObjectContext

    init(_ workload: ReachWorkload) throws {
        self.workload = workload
        context = ManagedObjectContext(
            try GraphStore(model: [LinkedFolder.self, LinkedPerson.self]), isolation: nil)
        switch workload {
        case .tree:
            let folders = (0..<workload.nodes).map { number in
                let folder = LinkedFolder(context: context)
                folder.number = number
                return folder
            }
            for (from, to) in workload.links { folders[to].parent = folders[from] }
        case .network:
            let people = (0..<workload.nodes).map { number in
                let person = LinkedPerson(context: context)
                person.number = number
                return person
            }
            for (from, to) in workload.links { people[from].follows.insert(people[to]) }
        }
        try context.save()
    }

    /// How many nodes are reached from the first.
    func walk(_ round: inout Round) throws -> Int {
        switch workload {
        case .tree:
            guard let root = try context.find(LinkedFolder.self, \.number, 0) else { return 0 }
            return try round.measure { try context.reachable(from: root, along: \.children).count }
        case .network:
            guard let person = try context.find(LinkedPerson.self, \.number, 0) else { return 0 }
            return try round.measure { try context.reachable(from: person, along: \.follows).count }
        }
    }
}
