import Foundation
import PlacesGraphTesting
import PlacesKit

extension PhotoSourceConformance {
    private static let longestList = 300

    func checkPlaces(_ log: inout ConformanceLog) async {
        guard source.capabilities.contains(.places),
            let places = await log.answer("places()", { try await source.places() })
        else { return }
        log.expect(!places.isEmpty, "places()", "is empty; it should throw unavailable")
        let identifiers = places.map(\.identifier)
        log.expect(Set(identifiers).count == places.count, "places()", "repeats an identifier")
        log.expect(!identifiers.contains(""), "places()", "has an empty identifier")
        log.expect(
            places.allSatisfy { $0.coordinate?.isValid ?? true }, "places()",
            "has a coordinate that is none")
        log.expect(
            places.allSatisfy { $0.photoCount ?? 0 >= 0 }, "places()",
            "has a place with less than no photos")
        if source.capabilities.contains(.photosOfPlaces) { await checkPhotos(of: places, &log) }
    }

    private func checkPhotos(of places: [PlaceRecord], _ log: inout ConformanceLog) async {
        guard !places.isEmpty else { return }
        let (first, middle, last) = (0, places.count / 2, places.count - 1)
        var lists: [[PhotoRecord]] = []
        for place in places.count < 3 ? places : [first, middle, last].map({ places[$0] }) {
            let photos = await checkList("photos(in: \(place.identifier), limit:", &log) {
                try await source.photos(in: place, limit: $0)
            }
            log.expect(
                !photos.isEmpty, "photos(in: \(place.identifier), limit:)",
                "is empty for a place it named")
            lists.append(photos)
        }
        log.expect(
            Set(lists).count == lists.count, "photos(in:limit:)",
            "are the same photos for different places")
        let unnamed = PlaceRecord(identifier: "no place has this identifier", name: "Nowhere")
        do {
            let photos = try await source.photos(in: unnamed, limit: 5)
            log.expect(
                photos.isEmpty, "photos(in:limit:) of no place", "has photos, \(photos.count)")
        } catch {
            log.expect(
                error is PhotoSourceError, "photos(in:limit:) of no place",
                "threw \(error), which is no PhotoSourceError")
        }
    }

    func checkRecentPhotos(_ log: inout ConformanceLog) async {
        guard source.capabilities.contains(.recentPhotos) else { return }
        let photos = await checkList("recentPhotos(limit:", &log) {
            try await source.recentPhotos(limit: $0)
        }
        log.expect(
            photos.allSatisfy { $0.coordinate != nil }, "recentPhotos(limit:)",
            "has a photo that does not say where it was taken")
    }

    /// Checks a list of the newest photos at several limits, and returns it at the largest limit.
    ///
    /// The largest is longer than a page of Flickr's or of Commons.
    private func checkList(
        _ beginning: String, _ log: inout ConformanceLog,
        _ ask: (_ limit: Int) async throws -> [PhotoRecord]
    ) async -> [PhotoRecord] {
        var largest: [PhotoRecord] = []
        for limit in [Self.longestList, 50, 5, 1, 0, -1] {
            let operation = "\(beginning) \(limit))"
            guard let photos = await log.answer(operation, { try await ask(limit) }) else {
                continue
            }
            if limit == Self.longestList { largest = photos }
            check(photos, atMost: max(0, limit), operation, &log)
            let dates = photos.compactMap(\.uploaded)
            log.expect(
                zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 }, operation,
                "is not newest first")
            let newest = largest.prefix(max(0, limit)).map(\.identifier)
            log.expect(
                photos.count > limit || photos.map(\.identifier) == newest, operation,
                "are not the first of those that come for \(Self.longestList)")
        }
        return largest
    }
}
