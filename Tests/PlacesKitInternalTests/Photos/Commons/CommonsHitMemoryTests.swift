import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

@Suite(.endsWaiting) struct CommonsHitMemoryTests {
    private let area = CoordinateArea.circle(
        center: Coordinate(latitude: 1, longitude: 2), kilometers: 3)

    private static func hits(_ identifier: Int) throws -> CommonsHits {
        let file = #"{"pageid":\#(identifier),"title":"File:A.jpg","lat":1,"lon":2}"#
        let reply = #"{"query":{"geosearch":[\#(file)]}}"#
        return CommonsHits(try CommonsReply(HTTPResponse(body: Data(reply.utf8))))
    }

    @Test func `the pages of an area that are asked for at the same time are of one list`()
        async throws
    {
        let memory = CommonsHitMemory(clock: ManualClock())
        let (gate, asked) = (Gate(), Counter())
        let callers = Counter()
        let lists = (0..<3).map { _ in
            Task {
                callers.count()
                return try await memory.list(for: area) {
                    asked.count()
                    let number = asked.value
                    await gate.wait()
                    return try Self.hits(number)
                }
            }
        }
        try await wait { callers.value == 3 && asked.value > 0 }
        gate.open()
        for list in lists { #expect(try await list.value.identifiers == ["1"]) }
        #expect(asked.value == 1)
    }
}
