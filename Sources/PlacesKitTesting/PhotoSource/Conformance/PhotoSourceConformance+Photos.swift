import Foundation
import PlacesKit

extension PhotoSourceConformance {
    static func isNotSupported(_ error: any Error) -> Bool {
        if case PhotoSourceError.unavailable(.notSupported) = error { true } else { false }
    }

    /// What is true of any list of photos.
    func check(
        _ photos: [PhotoRecord], atMost limit: Int, _ operation: String, _ log: inout ConformanceLog
    ) {
        log.expect(photos.count <= max(0, limit), operation, "has \(photos.count) photos")
        let identifiers = photos.map(\.identifier)
        log.expect(Set(identifiers).count == photos.count, operation, "repeats a photo")
        log.expect(!identifiers.contains(""), operation, "has a photo without identifier")
        for photo in photos {
            let name = "\(operation), photo \(photo.identifier)"
            log.expect(photo.coordinate?.isValid ?? true, name, "has a coordinate that is none")
            log.expect(
                !source.cachingPolicy.requiresCredit || !photo.creditLine.isEmpty, name,
                "has no credit line, which the source's policy wants shown")
            log.expect(
                !source.cachingPolicy.requiresPageLink || photo.pageURL != nil, name,
                "has no page, which the source's policy wants linked to")
            checkVariants(photo.variants, name, &log)
        }
        do {
            let data = try JSONEncoder().encode(photos)
            let decoded = try JSONDecoder().decode([PhotoRecord].self, from: data)
            log.expect(decoded == photos, operation, "changes when encoded and decoded")
        } catch {
            log.expect(false, operation, "cannot be encoded and decoded: \(error)")
        }
    }

    func checkOrder(_ photos: [PhotoRecord], _ operation: String, _ log: inout ConformanceLog) {
        let dates = photos.compactMap(\.uploaded)
        log.expect(
            zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 }, operation, "is not newest first")
    }

    /// Photos of an area lie in it, but for the rounding of services.
    func checkPlace(
        of photos: [PhotoRecord], in area: PhotoArea, _ operation: String,
        _ log: inout ConformanceLog
    ) {
        for photo in photos {
            guard let coordinate = photo.coordinate else { continue }
            let isNear = coordinate.distance(to: area.center) <= radius * 1.5 + 0.1
            log.expect(isNear, "\(operation), photo \(photo.identifier)", "lies outside the area")
        }
    }

    private func checkVariants(
        _ variants: [PhotoVariant], _ operation: String, _ log: inout ConformanceLog
    ) {
        log.expect(
            Set(variants.map(\.name)).count == variants.count, operation, "repeats a size's name")
        let edges = variants.dropLast().compactMap(\.longestEdge)
        log.expect(
            zip(edges, edges.dropFirst()).allSatisfy { $0 <= $1 }, operation,
            "has sizes that are not smallest first: \(edges)")
    }

    /// Details, names, sizes and pictures of a photo.
    func checkPhotos(_ log: inout ConformanceLog) async {
        guard let photo = await anyPhoto() else { return }
        if source.capabilities.contains(.details) {
            let details = await log.answer("details(ofPhoto: \(photo.identifier))") {
                try await source.details(ofPhoto: photo.identifier)
            }
            log.expect(
                details.map { $0.identifier == photo.identifier } ?? true, "details(ofPhoto:)",
                "are those of another photo")
            await log.expectError(
                "details(ofPhoto:) of no photo", "gone",
                { if case PhotoSourceError.gone = $0 { true } else { false } },
                { try await source.details(ofPhoto: "no photo has this identifier") })
        }
        if source.capabilities.contains(.placeNames) {
            let names = await log.answer("placeNames(at:)") {
                try await source.placeNames(at: center)
            }
            log.expect(
                names.flatMap { $0 }.map { !$0.fullName.isEmpty } ?? true, "placeNames(at:)",
                "are empty instead of nil")
            _ = await log.answer("placeNames(of:)") { try await source.placeNames(of: photo) }
        }
        let variants = await log.answer("variants(of:)") { try await source.variants(of: photo) }
        checkVariants(variants ?? [], "variants(of:)", &log)
        guard let smallest = photo.variants.first ?? variants?.first else { return }
        let data = await log.answer("data(for: \(smallest.name))") {
            try await source.data(for: smallest)
        }
        log.expect(
            data.map { PictureSignature.begins($0) } ?? true, "data(for:)",
            "is no picture by its first bytes")
    }

    private func anyPhoto() async -> PhotoRecord? {
        for area in areas {
            if let page = try? await source.photos(in: area, page: 1, perPage: 5),
                let photo = page.photos.first(where: { !$0.variants.isEmpty }) ?? page.photos.first
            {
                return photo
            }
        }
        return try? await source.recentPhotos(limit: 1).first
    }

    /// A cancelled task gets `CancellationError`, and nothing else.
    func checkCancellation(_ log: inout ConformanceLog) async {
        let photo = await anyPhoto()
        var calls: [(PhotoSourceCapability?, String, @Sendable () async throws -> Void)] = [
            (.places, "places()", { [source] in _ = try await source.places() }),
            (
                .recentPhotos, "recentPhotos(limit:)",
                { [source] in _ = try await source.recentPhotos(limit: 7) }
            ),
        ]
        for area in areas {
            calls.append(
                (
                    area.capability, "photos(in: area)",
                    { [source] in _ = try await source.photos(in: area, page: 1, perPage: 7) }
                ))
        }
        if let photo, let variant = photo.variants.first {
            calls.append(
                (nil, "data(for:)", { [source] in _ = try await source.data(for: variant) }))
        }
        for (capability, operation, call) in calls
        where capability.map(source.capabilities.contains) ?? true {
            await log.expectError(
                "\(operation) in a cancelled task", "CancellationError",
                { $0 is CancellationError }
            ) {
                try await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await call()
                }.value
            }
        }
    }

    /// Calls that run at the same time are answered like those that run alone.
    func checkConcurrency(_ log: inout ConformanceLog) async {
        guard let area = areas.first,
            let alone = try? await source.photos(in: area, page: 1, perPage: 5)
        else { return }
        let together = await withTaskGroup(of: PhotoPage?.self) { group in
            for _ in 0..<8 {
                group.addTask { [source] in
                    try? await source.photos(in: area, page: 1, perPage: 5)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        log.expect(
            together.allSatisfy { $0?.photos.map(\.identifier) == alone.photos.map(\.identifier) },
            "photos(in: area), eight times at once", "are not the same each time")
    }
}
