import Foundation
import PlacesKit

extension PhotoSourceConformance {
    func checkCaps(_ log: inout ConformanceLog) {
        log.expect(!source.name.isEmpty, "name", "is empty")
        let caps = source.caps
        log.expect((caps.pageLength ?? 1) > 0, "caps", "pages hold no photo")
        log.expect((caps.reach ?? 1) > 0, "caps", "searches hold no photo")
        log.expect((source.cachingPolicy.maximumAge ?? 1) > 0, "cachingPolicy", "keeps nothing")
        log.expect(
            (try? JSONEncoder().encode(caps)) != nil, "caps", "cannot be encoded")
    }

    /// What is not among the capabilities has to be refused as unsupported, before all else.
    func checkCapabilities(_ log: inout ConformanceLog) async {
        let place = PlaceRecord(identifier: "-", name: "-")
        let box = CoordinateBox(center: center, degrees: 0.01)
        for capability in PhotoSourceCapability.allCases
        where !source.capabilities.contains(capability) {
            await log.expectError(
                capability.rawValue, "unavailable(notSupported), as it is no capability",
                Self.isNotSupported
            ) {
                switch capability {
                case .places: _ = try await source.places()
                case .photosOfPlaces: _ = try await source.photos(in: place, limit: 1)
                case .recentPhotos: _ = try await source.recentPhotos(limit: 1)
                case .photosNearPoints:
                    _ = try await source.photos(
                        in: .circle(center: center, radius: 1), page: 1, perPage: 1)
                case .photosInBoxes:
                    _ = try await source.photos(in: .box(box), page: 1, perPage: 1)
                case .details: _ = try await source.details(ofPhoto: "-")
                case .placeNames: _ = try await source.placeNames(at: center)
                }
            }
        }
    }

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
        guard source.capabilities.contains(.photosOfPlaces), let place = places.first else {
            return
        }
        for limit in [0, 1, 50] {
            let operation = "photos(in: \(place.identifier), limit: \(limit))"
            guard
                let photos = await log.answer(
                    operation, { try await source.photos(in: place, limit: limit) })
            else { continue }
            check(photos, atMost: limit, operation, &log)
            checkOrder(photos, operation, &log)
            log.expect(limit == 0 || !photos.isEmpty, operation, "is empty for a place it named")
        }
        let none = await log.answer("photos(in:limit: -1)") {
            try await source.photos(in: place, limit: -1)
        }
        log.expect(none?.isEmpty ?? true, "photos(in:limit: -1)", "is not empty")
    }

    func checkRecentPhotos(_ log: inout ConformanceLog) async {
        guard source.capabilities.contains(.recentPhotos) else { return }
        for limit in [0, 1, 30] {
            let operation = "recentPhotos(limit: \(limit))"
            guard
                let photos = await log.answer(
                    operation, { try await source.recentPhotos(limit: limit) })
            else { continue }
            check(photos, atMost: limit, operation, &log)
            checkOrder(photos, operation, &log)
            log.expect(
                photos.allSatisfy { $0.coordinate != nil }, operation,
                "has a photo that does not say where it was taken")
        }
    }

    func checkAreas(_ log: inout ConformanceLog) async {
        for area in areas {
            let operation = "photos(in: \(area.capability.rawValue))"
            guard
                let first = await log.answer(
                    operation, { try await source.photos(in: area, page: 1, perPage: 5) })
            else { continue }
            log.expect(first.page == 1, operation, "says that page 1 is page \(first.page)")
            log.expect(!first.photos.isEmpty, operation, "is empty where there should be photos")
            check(first.photos, atMost: 5, operation, &log)
            checkPlace(of: first.photos, in: area, operation, &log)
            log.expect(
                (first.ending == nil) == (first.usablePages > 1), operation,
                "has \(first.usablePages) pages, but the first one's ending is "
                    + String(describing: first.ending))
            await checkPages(of: area, operation, &log)
            await checkImpossibleSearches(like: area, operation, &log)
        }
    }

    private func checkPages(
        of area: PhotoArea, _ operation: String, _ log: inout ConformanceLog
    ) async {
        var seen: Set<String> = []
        var endings: [PhotoPage.Ending?] = []
        do {
            for try await page in source.pages(of: area, perPage: 5) {
                let identifiers = page.photos.map(\.identifier)
                log.expect(
                    seen.isDisjoint(with: identifiers), "\(operation), pages", "repeat a photo")
                seen.formUnion(identifiers)
                endings.append(page.ending)
                if endings.count == 4 { break }
            }
        } catch {
            log.expect(false, "\(operation), pages", "threw \(error)")
        }
        log.expect(
            endings.dropLast().allSatisfy { $0 == nil }, "\(operation), pages", "go on after an end"
        )
        let beyond = await log.answer("\(operation), page 1,000,000") {
            try await source.photos(in: area, page: 1_000_000, perPage: 5)
        }
        if let beyond {
            log.expect(
                beyond.photos.isEmpty || beyond.page <= max(1, beyond.usablePages),
                "\(operation), page 1,000,000", "has photos but is not the last page")
        }
    }

    private func checkImpossibleSearches(
        like area: PhotoArea, _ operation: String, _ log: inout ConformanceLog
    ) async {
        let nowhere = Coordinate(latitude: 91, longitude: .nan)
        let impossible: PhotoArea =
            switch area {
            case .circle: .circle(center: nowhere, radius: radius)
            case .box: .box(CoordinateBox(southwest: nowhere, northeast: center))
            }
        for (area, page, perPage) in [(area, 0, 5), (area, 1, 0), (impossible, 1, 5)] {
            await log.expectError(
                "\(operation), page \(page) of \(perPage)", "invalidRequest",
                { if case PhotoSourceError.invalidRequest = $0 { true } else { false } },
                { try await source.photos(in: area, page: page, perPage: perPage) })
        }
    }
}
