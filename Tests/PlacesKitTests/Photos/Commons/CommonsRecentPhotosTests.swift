import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Uploads come in replies of many, whose pages are in the order of their numbers and not of their dates.
@Suite struct CommonsRecentPhotosTests {
    /// 600 uploads, the later ones with the larger numbers; every sixth has a position, and of those every other is a
    /// photo.
    private static func page(_ number: Int) -> String {
        let time = String(format: "2026-01-01T%02d:%02d:00Z", number / 60, number % 60)
        let position = number % 6 == 0 ? #","coordinates":[{"lat":1,"lon":2}]"# : ""
        return """
            {"pageid":\(number),"title":"File:\(number).jpg"\(position),"imageinfo":[{
            "url":"https://upload.wikimedia.org/\(number).jpg","width":2000,"height":1000,
            "timestamp":"\(time)","mime":"image/\(number % 12 == 0 ? "svg+xml" : "jpeg")",
            "extmetadata":{"LicenseShortName":{"value":"CC0"}}}]}
            """
    }

    private func commons() throws -> CommonsPhotoSource {
        let transport = AnsweringTransport { request in
            let asked = (request.queryValue("pageids") ?? "").split(separator: "|")
            let isSecond = request.queryValue("gaicontinue") != nil
            let uploads = isSecond ? 1...300 : 301...600
            let numbers = asked.isEmpty ? Array(uploads) : asked.compactMap { Int($0) }
            let rest =
                asked.isEmpty && !isSecond
                ? #""continue":{"gaicontinue":"2026|X","continue":"gaicontinue||"},"# : ""
            let pages = numbers.map(Self.page).joined(separator: ",")
            return #"{"batchcomplete":true,\#(rest)"query":{"pages":[\#(pages)]}}"#
        }
        return try CommonsPhotoSource(
            application: "Tests/1", contact: "x@example.org", transport: transport,
            retry: RetryPolicy(
                attempts: 1, attemptTime: nil, totalTime: nil,
                clock: ManualClock(isImmediate: true)))
    }

    @Test(arguments: [1, 5, 25, 40, 50, 500])
    func `the newest come first, however many are asked for`(limit: Int) async throws {
        let newest = stride(from: 594, to: 0, by: -12).map(String.init)
        let photos = try await commons().recentPhotos(limit: limit)
        #expect(photos.map(\.identifier) == Array(newest.prefix(limit)))
    }
}
