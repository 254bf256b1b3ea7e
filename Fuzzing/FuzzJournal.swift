import Foundation

/// The schema of a small document: ordered lists, a hierarchy, unique values, links of every kind.
private let layout: GraphLayout = {
    func list(
        _ name: String, _ destination: String, _ inverse: String, isOrdered: Bool = false
    ) -> PropertyDescription {
        var relationship = RelationshipDescription(
            name: name, destination: destination, inverse: inverse, isToMany: true)
        relationship.isOrdered = isOrdered
        return .relationship(relationship)
    }
    func link(_ name: String, _ destination: String, _ inverse: String?) -> PropertyDescription {
        .relationship(
            RelationshipDescription(name: name, destination: destination, inverse: inverse))
    }
    func value(_ name: String, _ type: AttributeType, isUnique: Bool = false)
        -> PropertyDescription
    {
        .attribute(
            AttributeDescription(name: name, type: type, isOptional: true, isUnique: isUnique))
    }
    let entities = [
        EntityDescription(
            name: "A",
            properties: [
                value("s", .string, isUnique: true), list("w", "W", "a", isOrdered: true),
                list("r", "R", "a", isOrdered: true), link("o", "R", "p"),
            ]),
        EntityDescription(
            name: "W",
            properties: [value("n", .int16), link("a", "A", "w"), link("x", "W", nil)]),
        EntityDescription(
            name: "V", properties: [value("d", .date), value("b", .data)], superentity: "W"),
        EntityDescription(
            name: "R",
            properties: [value("j", .json), list("a", "A", "r"), link("p", "A", "o")]),
    ]
    guard let schema = try? Schema(entities: entities) else { preconditionFailure("the schema") }
    return GraphLayout(schema: schema)
}()

/// Reads bytes as a journal, and its lines as records whose checksums are right.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJournal(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    read(bytes)
    var replay = JournalReplay(Graph(layout: layout), checks: [])
    var number = 0
    for line in bytes.split(separator: 0x0A) {
        let commit = try? line.withUnsafeBytes { try replay.apply($0, after: number) }
        guard let commit else { break }
        precondition(commit.number == number + 1)
        number = commit.number
        let broken = replay.finish().brokenInvariants(allowingDeniedDeletes: false)
        precondition(broken.isEmpty, "\(broken)")
        _ = try? ChangeRecord(line: Array(line))
    }
    return 0
}

private func read(_ bytes: [UInt8]) {
    guard let file = try? JournalFile(bytes) else { return }
    var replay = JournalReplay(Graph(layout: layout), checks: [])
    guard (try? replay.use(file.header.entities)) != nil else { return }
    _ = try? file.forEachRecord(after: file.header.commit) { try replay.apply($0, after: $1) }
    precondition(replay.finish().brokenInvariants(allowingDeniedDeletes: false).isEmpty)
}
