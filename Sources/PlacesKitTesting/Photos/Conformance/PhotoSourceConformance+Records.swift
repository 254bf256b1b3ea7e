import Foundation
import PlacesGraphTesting
import PlacesKit

extension PhotoSourceConformance {
    /// Checks what must be true of every list of photos.
    func check(
        _ photos: [PhotoRecord], atMost limit: Int, _ operation: String, _ log: inout ConformanceLog
    ) {
        log.expect(photos.count <= limit, operation, "has \(photos.count) photos")
        let identifiers = photos.map(\.identifier)
        log.expect(Set(identifiers).count == photos.count, operation, "repeats a photo")
        log.expect(!identifiers.contains(""), operation, "has a photo without identifier")
        for photo in photos { check(photo, "\(operation), photo \(photo.identifier)", &log) }
        let addresses = photos.flatMap { Set($0.variants.map(\.url)) }
        log.expect(
            Set(addresses).count == addresses.count, operation,
            "has two photos whose pictures have the same address")
        do {
            let data = try JSONEncoder().encode(photos)
            let decoded = try JSONDecoder().decode([PhotoRecord].self, from: data)
            log.expect(decoded == photos, operation, "changes when encoded and decoded")
        } catch {
            log.expect(false, operation, "cannot be encoded and decoded: \(error)")
        }
    }

    private func check(_ photo: PhotoRecord, _ name: String, _ log: inout ConformanceLog) {
        log.expect(photo.coordinate?.isValid ?? true, name, "has a coordinate that is none")
        log.expect(
            photo.coordinate != Coordinate(latitude: 0, longitude: 0), name,
            "was taken at 0, 0, as a missing coordinate says")
        checkDates(of: photo, name, &log)
        log.expect(
            !source.cachingPolicy.requiresCredit || !photo.creditLine.isEmpty, name,
            "has no credit line, which the source's policy wants shown")
        log.expect(
            !source.cachingPolicy.requiresPageLink || photo.pageURL != nil, name,
            "has no page, which the source's policy wants linked to")
        if let page = photo.pageURL {
            log.expect(
                page.scheme.map { !["javascript", "data"].contains($0.lowercased()) } ?? false,
                name, "has a page that nobody can link to: \(page)")
        }
        check(photo.variants, name, &log)
    }

    /// Checks that dates lie between the first photo ever taken and now.
    ///
    /// If a number is missing, or counted in other units, dates are in January 1970 or in a far
    /// future.
    private func checkDates(of photo: PhotoRecord, _ name: String, _ log: inout ConformanceLog) {
        let day = 86_400.0
        let firstPhoto = Date(timeIntervalSince1970: -4_544_208_000)  // 1826
        for (what, date) in [("published", photo.uploaded), ("taken", photo.takenInstant)] {
            guard let date else { continue }
            log.expect(
                date >= firstPhoto && date <= now.addingTimeInterval(2 * day), name,
                "was \(what) before there were photos, or will be: \(date.timeIntervalSince1970) s")
            log.expect(
                !(0..<31 * day).contains(date.timeIntervalSince1970), name,
                "was \(what) in January 1970, as a missing number says, or one of other units")
        }
        guard let taken = photo.taken, let asIfUTC = taken.startInGreenwich else { return }
        log.expect(
            asIfUTC >= firstPhoto.addingTimeInterval(-366 * day)
                && asIfUTC <= now.addingTimeInterval(2 * day),
            name, "was taken before there were photos, or will be: \(taken)")
        if let instant = photo.takenInstant, [.second, .minute].contains(taken.precision) {
            log.expect(
                abs(instant.timeIntervalSince(asIfUTC)) <= 15 * 3_600, name,
                "was taken at \(instant.ISO8601Format()), which is \(taken) nowhere on Earth")
        }
    }

    /// Checks what must be true of the sizes of every photo.
    func check(
        _ variants: [PhotoVariant], _ operation: String, _ log: inout ConformanceLog
    ) {
        log.expect(
            Set(variants.map(\.name)).count == variants.count, operation, "repeats a size's name")
        log.expect(
            !variants.contains { $0.name.isEmpty }, operation, "has a size without a name")
        let edges = variants.dropLast().compactMap(\.longestEdge)
        log.expect(
            zip(edges, edges.dropFirst()).allSatisfy { $0 <= $1 }, operation,
            "has sizes that are not smallest first: \(edges)")
        for variant in variants {
            let sides = [variant.width, variant.height].compactMap { $0 }
            let edge = variant.longestEdge ?? sides.max() ?? 1
            log.expect(
                edge > 0 && sides.allSatisfy { $0 > 0 && $0 <= edge }, operation,
                "has a size, \(variant.name), of \(sides) with the longest edge \(edge)")
            log.expect(
                variant.url.scheme != nil, operation,
                "has a size, \(variant.name), without an address: \(variant.url)")
        }
    }
}
