import ArgumentParser

/// What is asked of OO7's data, by the names of its paper.
enum OO7Workload: String, CaseIterable, ExpressibleByArgument {
    /// T1: from all base assemblies along the connections to all parts of their designs, depth first.
    case walk = "oo7-t1"
    /// The same, and no object was read before.
    case coldWalk = "oo7-t1-cold"
    /// The same on an actor, where objects may be observed and nobody does.
    case observableWalk = "oo7-t1-observable"
    /// T6: to the root part of each design only.
    case rootWalk = "oo7-t6"
    /// T2b: T1 exchanges two attributes of each part; then all is saved.
    case update = "oo7-t2b"
    /// T3b: T1 changes an attribute of each part that is indexed; then all is saved.
    case indexedUpdate = "oo7-t3b"
    /// Q1: ten parts by their ids.
    case lookup = "oo7-q1"
    /// Q4: from a hundred documents by their titles to the base assemblies of their designs.
    case documentUses = "oo7-q4"
    /// Q5: the base assemblies that have a design younger than themselves.
    case outdated = "oo7-q5"
    /// Q8: the pairs of a part and the document that it belongs to.
    case documentedParts = "oo7-q8"
    /// Five designs with all that hangs on them, for ten base assemblies each.
    case insertion = "oo7-insert"
    /// The same are deleted.
    case deletion = "oo7-delete"

    /// What one operation is.
    var unit: String {
        switch self {
        case .walk, .coldWalk, .observableWalk, .rootWalk, .update, .indexedUpdate: "part"
        case .lookup, .documentUses, .outdated, .documentedParts: "query"
        case .insertion, .deletion: "design"
        }
    }

    /// How many operations a trial does.
    func operations(in world: OO7World) -> Int {
        switch self {
        case .walk, .coldWalk, .observableWalk, .update, .indexedUpdate: world.visitedParts
        case .rootWalk: world.baseCount * OO7World.fan
        case .lookup, .documentUses, .outdated, .documentedParts: 1
        case .insertion, .deletion: world.additions.count
        }
    }
}

/// One way of storing the world of OO7.
protocol OO7Contestant: AnyObject {
    /// The name it has in the table.
    var name: String { get }

    /// What it runs for a workload.
    func trial(for workload: OO7Workload) throws -> Trial

    /// Inserts the designs that are to be added, and saves them.
    func insertAdditions() throws
    /// Deletes them, and saves that.
    func deleteAdditions() throws
    /// How many parts, documents and uses of designs there are.
    func counts() throws -> [Int]
}

extension OO7Contestant {
    func insert(_ round: inout Round) throws -> Checksum {
        try round.measure { try insertAdditions() }
        try deleteAdditions()
        return try checksumOfCounts()
    }

    func delete(_ round: inout Round) throws -> Checksum {
        try insertAdditions()
        try round.measure { try deleteAdditions() }
        return try checksumOfCounts()
    }

    private func checksumOfCounts() throws -> Checksum {
        var checksum = Checksum()
        for count in try counts() { checksum.append(count) }
        return checksum
    }
}
