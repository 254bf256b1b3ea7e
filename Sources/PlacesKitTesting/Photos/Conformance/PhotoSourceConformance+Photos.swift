import Foundation
import PlacesGraphTesting
import PlacesKit

extension PhotoSourceConformance {
    /// Checks the details, names, sizes and pictures of some photos.
    func checkPhotos(_ photos: [PhotoRecord], _ log: inout ConformanceLog) async {
        if source.capabilities.contains(.details) { await checkDetails(of: photos, &log) }
        if source.capabilities.contains(.placeNames) { await checkPlaceNames(of: photos, &log) }
        var owners: [URL: String] = [:]
        for photo in photos {
            let operation = "variants(of: \(photo.identifier))"
            let variants =
                await log.answer(operation) { try await source.variants(of: photo) } ?? []
            check(variants, operation, &log)
            for variant in variants {
                let owner = owners.updateValue(photo.identifier, forKey: variant.url)
                log.expect(
                    owner == nil || owner == photo.identifier, operation,
                    "has a picture of another photo, \(owner ?? "")")
            }
            for variant in photo.variants + (photo.variants.isEmpty ? variants : []) {
                let data = await log.answer("data(for: \(variant.name))") {
                    try await source.data(for: variant)
                }
                log.expect(
                    data.map { PictureSignature.begins($0) } ?? true, "data(for:)",
                    "is no picture by its first bytes")
            }
        }
    }

    private func checkDetails(of photos: [PhotoRecord], _ log: inout ConformanceLog) async {
        for photo in photos {
            let operation = "details(ofPhoto: \(photo.identifier))"
            let details = await log.answer(operation) {
                try await source.details(ofPhoto: photo.identifier)
            }
            guard let details else { continue }
            log.expect(
                details.identifier == photo.identifier, "details(ofPhoto:)",
                "are those of another photo")
            check([details], atMost: 1, operation, &log)
            if let date = details.uploaded, let listed = photo.uploaded {
                let (found, expected) = (date.ISO8601Format(), listed.ISO8601Format())
                log.expect(
                    date == listed, operation, "was published at \(found), not \(expected)")
            }
            if let point = details.coordinate, let listed = photo.coordinate {
                log.expect(
                    point.distance(to: listed) <= 1 || !listed.isValid || !point.isValid,
                    operation, "was taken at \(point), not \(listed)")
            }
        }
        for identifier in ["no photo has this identifier", ""] {
            await log.expectError(
                "details(ofPhoto:) of no photo, “\(identifier)”", "gone",
                { if case PhotoSourceError.gone = $0 { true } else { false } },
                { try await source.details(ofPhoto: identifier) })
        }
    }

    private func checkPlaceNames(of photos: [PhotoRecord], _ log: inout ConformanceLog) async {
        func areNames(_ names: PlaceNames??) -> Bool {
            names.flatMap { $0 }.map { !$0.fullName.isEmpty } ?? true
        }
        let names = await log.answer("placeNames(at:)") {
            try await source.placeNames(at: center)
        }
        log.expect(areNames(names), "placeNames(at:)", "are empty instead of nil")
        let elsewhere = await log.answer("placeNames(at:) elsewhere") {
            try await source.placeNames(at: antipode)
        }
        log.expect(
            elsewhere.flatMap { $0 } == nil || elsewhere != names, "placeNames(at:)",
            "are the same on the other side of the Earth")
        let nowhere = Coordinate(latitude: 91, longitude: .nan)
        await log.expectError(
            "placeNames(at:) \(nowhere)", "invalidRequest",
            Self.isInvalidRequest,
            { try await source.placeNames(at: nowhere) })
        for photo in photos + [PhotoRecord(identifier: "no place is known of this photo")] {
            let names = await log.answer("placeNames(of: \(photo.identifier))") {
                try await source.placeNames(of: photo)
            }
            log.expect(areNames(names), "placeNames(of:)", "are empty instead of nil")
        }
    }
}
