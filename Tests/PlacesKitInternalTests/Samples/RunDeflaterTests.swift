import PlacesKit
import Testing

@testable import PlacesKitTests
@testable import PlacesSamples

@Suite struct RunDeflaterTests {
    @Test func `runs of every length come back`() throws {
        var deflater = RunDeflater()
        var expected: [UInt8] = []
        for count in 1...600 {
            let byte = UInt8(truncatingIfNeeded: count * 37)
            deflater.add(byte, count: count)
            expected += [UInt8](repeating: byte, count: count)
        }
        deflater.add(1, count: 0)
        deflater.add(1, count: 100_000)
        expected += [UInt8](repeating: 1, count: 100_000)
        #expect(try #require(inflated(deflater.finish())) == expected)
    }
}
