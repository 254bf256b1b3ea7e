import Foundation
import PlacesKit
import Testing

/// Throws when it is decoded from more than all.
private struct Percent: CodableAttribute {
    var value = 0

    init(_ value: Int) { self.value = value }
    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int.self)
        guard value <= 100 else { throw CancellationError() }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

private struct Heading: AttributeValue {
    var degrees = 0.0

    init(_ degrees: Double) { self.degrees = degrees }
    init?(stored: Double) {
        guard (0..<360).contains(stored) else { return nil }
        degrees = stored
    }

    var stored: Double { degrees }
}

/// Does not list all its cases.
private enum Rig: String, CaseIterable, AttributeValue {
    case sloop, ketch, barque

    static var allCases: [Rig] { [.sloop, .ketch] }
}

private final class Vessel: ManagedObject {
    @Attribute var name = ""
    @Attribute var heading = Heading(0)
    @Attribute var planned: Heading?
    @Attribute var load = Percent(0)
    @Attribute var spare: Percent?
    @Attribute var loads: [Percent] = []
    @Attribute var rig = Rig.sloop
    @Attribute(.transient) var shown = Heading(0)
}

/// Values whose types write them and do not read them: no document could be opened with them.
@Suite struct ReadableValueTests {
    private let context: ManagedObjectContext
    private let vessel: Vessel

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Vessel.self]))
        vessel = Vessel(context: context)
    }

    private func expect<Value>(
        _ keyPath: ReferenceWritableKeyPath<Vessel, Value>, _ property: String, _ wrong: Value,
        _ datum: Datum, then right: Value
    ) throws {
        vessel[keyPath: keyPath] = wrong
        let failures = [
            ValidationFailure(
                object: vessel.objectID, property: property, reason: .notReadable(value: datum))
        ]
        #expect(context.failures() == failures)
        #expect(vessel.validationFailures() == failures)
        vessel[keyPath: keyPath] = right
        try context.save()
    }

    @Test func `a value that its type does not read back refuses the save`() throws {
        // Of an object that is new, and of one that is not.
        for _ in 0..<2 {
            try expect(\.heading, "heading", Heading(400), .double(400), then: Heading(359))
            try expect(\.planned, "planned", Heading(-1), .double(-1), then: nil)
            try expect(\.load, "load", Percent(150), .string("150"), then: Percent(100))
            try expect(\.spare, "spare", Percent(101), .string("101"), then: Percent(1))
            try expect(\.loads, "loads", [Percent(1), Percent(999)], .string("[1,999]"), then: [])
            try expect(\.rig, "rig", .barque, .string("barque"), then: .ketch)
        }
    }

    @Test func `the failure names the property and the value`() throws {
        vessel.heading = Heading(400)
        #expect(
            context.failures().first?.description.hasPrefix(
                "\(vessel.objectID).heading is 400.0, from which its type makes no value: ") == true
        )
    }

    @Test func `what no file holds may be what it likes`() throws {
        vessel.shown = Heading(400)
        try context.save()
    }
}
