import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// Values that a person wrote into a journal otherwise than PlacesKit does.
@Suite struct JournalValuesTests {
    final class Reading: ManagedObject {
        @Attribute var level: Float = 0
        @Attribute var page: URL?
    }

    /// The values of an object after a record that inserts it.
    private func values(_ properties: String) throws -> [Datum] {
        let model = try ObjectModel([Reading.self])
        let line = """
            {"commit":1,"date":"2026-11-21T09:41:00Z","synced":0,\
            "insert":{"Reading":[{"id":0,\(properties)}]},"crc":"00000000"}
            """
        var replay = JournalReplay(Graph(layout: model.layout), checks: model.checks)
        _ = try Array(line.utf8).withUnsafeBytes { try replay.apply($0, after: 0) }
        let graph = replay.finish()
        let entity = graph.layout.entities[0]
        return entity.slots.map { graph.datum(Row(0), $0, in: entity.table) }
    }

    @Test func `a float is the one nearest to the number, and a URL is spelled as URL does`()
        throws
    {
        #expect(
            try values(#""level":0.1,"page":"http://ü.de/""#)
                == [.double(Double(0.1 as Float)), .string("http://xn--tda.de/")])
    }

    @Test func `a number that is too large for a float is refused`() throws {
        let error = #expect(throws: JSONError.self) { try values(#""level":1e39"#) }
        #expect(error?.kind == .numberOutOfRange(type: "a float"))
    }
}
