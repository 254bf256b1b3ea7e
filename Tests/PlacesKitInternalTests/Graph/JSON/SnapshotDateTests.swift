import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct SnapshotDateTests {
    @Test(arguments: [
        (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (0.5, "2001-01-01T00:00:00.5Z"),
        (-0.25, "2000-12-31T23:59:59.75Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
        (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
        (94_694_400, "2004-01-02T00:00:00Z"), (-31_622_400, "2000-01-01T00:00:00Z"),
        (5_011_200, "2001-02-28T00:00:00Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
    ])
    func `an instant has its text, and the text its instant`(seconds: Double, text: String) {
        #expect(SnapshotDate(seconds)?.text == text)
        #expect(SnapshotDate.seconds(of: text) == seconds)
    }

    @Test(
        arguments: [
            (804_000_000.123, "2026-06-24T13:20:00.123Z"),
            (804_000_000.7, "2026-06-24T13:20:00.7Z"),
            (804_000_000.000_001, "2026-06-24T13:20:00.000001Z"),
            (0.333_333_333_333_333_3, "2001-01-01T00:00:00.3333333333333333Z"),
        ] as [(Double, String)])
    func `a fraction of a second has few digits`(seconds: Double, text: String) {
        #expect(SnapshotDate(seconds)?.text == text)
        #expect(SnapshotDate.seconds(of: text) == seconds)
    }

    @Test(arguments: [
        -63_113_904_001, 252_423_993_600, 1e300, -1e300, .infinity, .nan, -0.0, 1e-9,
    ])
    func `an instant without a plain form has no text`(seconds: Double) {
        #expect(SnapshotDate(seconds)?.text == nil)
    }

    @Test(arguments: [
        "", "2001", "2001-01-01", "2001-01-01T00:00:00", "2001-02-29T00:00:00Z",
        "2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z",
        "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z",
        "0000-01-01T00:00:00Z", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00,5Z",
        "2001-01-01T00:00:00+00:00", "2001-01-01 00:00:00Z", "-001-01-01T00:00:00Z",
        "2001-01-01T00:00:00.5xZ", "２００1-01-01T00:00:00Z",
    ])
    func `other text is no instant`(text: String) {
        #expect(SnapshotDate.seconds(of: text) == nil)
    }

    @Test(arguments: [UInt64](1...4))
    func `random instants survive to the bit`(seed: UInt64) {
        var random = RandomItems(seed: seed)
        for _ in 0..<5_000 {
            let seconds = random.date().timeIntervalSinceReferenceDate
            guard let text = SnapshotDate(seconds)?.text else { continue }
            #expect(
                SnapshotDate.seconds(of: text)?.bitPattern == seconds.bitPattern,
                "seed \(seed): \(seconds) as \(text)")
        }
    }
}
