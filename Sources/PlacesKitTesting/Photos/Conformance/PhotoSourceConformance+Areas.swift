import Foundation
import PlacesGraphTesting
import PlacesKit

extension PhotoSourceConformance {
    /// The length of the pages in most checks, and of the longer pages that they are compared with.
    private static let (length, longLength) = (5, 20)

    /// Checks the search of an area, page by page.
    func checkArea(_ area: CoordinateArea, _ log: inout ConformanceLog) async {
        let operation = "photos(in: \(area.capability.rawValue))"
        var pages: [PhotoPage] = []
        for number in 1...(Self.longLength / Self.length) {
            guard let page = await page(number, Self.length, of: area, operation, &log) else {
                return
            }
            pages.append(page)
            if page.ending != nil { break }
        }
        guard let first = pages.first else { return }
        log.expect(!first.photos.isEmpty, operation, "is empty where there should be photos")
        let identifiers = pages.flatMap(\.photos).map(\.identifier)
        log.expect(
            Set(identifiers).count == identifiers.count, "\(operation), pages", "repeat a photo")
        log.expect(
            Set(pages.map(\.usablePages)).count == 1, "\(operation), pages",
            "count differently many pages: \(pages.map(\.usablePages))")
        if let long = await page(1, Self.longLength, of: area, operation, &log) {
            compare(pages, with: long, operation, &log)
        }
        await checkMiddle(of: area, after: first, operation, &log)
        await checkEnd(of: area, after: first, operation, &log)
        await checkImpossibleSearches(like: area, operation, &log)
        for elsewhere in areas(around: antipode) where elsewhere.capability == area.capability {
            _ = await page(1, Self.length, of: elsewhere, "\(operation), elsewhere", &log)
        }
    }

    /// The point on the other side of the Earth.
    var antipode: Coordinate {
        Coordinate(
            latitude: -center.latitude,
            longitude: center.longitude > 0 ? center.longitude - 180 : center.longitude + 180)
    }

    /// A page, after the checks that apply to every page.
    private func page(
        _ number: Int, _ length: Int, of area: CoordinateArea, _ operation: String,
        _ log: inout ConformanceLog
    ) async -> PhotoPage? {
        let operation = "\(operation), page \(number) of \(length)"
        guard
            let page = await log.answer(
                operation, { try await source.photos(in: area, page: number, perPage: length) })
        else { return nil }
        log.expect(
            page.page == number, operation, "says that page \(number) is page \(page.page)")
        log.expect(
            page.usablePages <= source.caps.usablePages(of: .max, perPage: length), operation,
            "counts \(page.usablePages) pages, which is beyond the reach of the source's caps")
        log.expect(page.droppedCount >= 0, operation, "leaves out \(page.droppedCount)")
        // Products of a number of pages with their length overflow below if there are more.
        guard (0..<Int.max / Self.longLength).contains(page.usablePages) else {
            log.expect(false, operation, "counts \(page.usablePages) pages, which no search has")
            return nil
        }
        log.expect(
            (page.ending == nil) == (number < page.usablePages), operation,
            "is one of \(page.usablePages), but its ending is " + String(describing: page.ending))
        check(page.photos, atMost: source.caps.pageLength(for: length), operation, &log)
        for photo in page.photos {
            guard let coordinate = photo.coordinate else { continue }
            log.expect(
                widened(area).contains(coordinate), "\(operation), photo \(photo.identifier)",
                "lies outside the area")
        }
        return page
    }

    /// The area, enlarged by as much as services may round.
    private func widened(_ area: CoordinateArea) -> CoordinateArea {
        switch area {
        case .circle(let center, let radius):
            .circle(center: center, kilometers: radius * 1.1 + 0.1)
        case .box(let box): .box(self.box(around: box.center, radii: 1.1))
        }
    }

    /// Checks that short pages and a long one have the same photos, order and counts.
    private func compare(
        _ pages: [PhotoPage], with long: PhotoPage, _ operation: String,
        _ log: inout ConformanceLog
    ) {
        let caps = source.caps
        guard caps.pageLength(for: Self.longLength) == Self.longLength else { return }
        let identifiers = pages.flatMap(\.photos).map(\.identifier)
        log.expect(
            identifiers == long.photos.map(\.identifier), "\(operation), pages of \(Self.length)",
            "are not those of the page of \(Self.longLength): one of them skips or sorts otherwise")
        guard let first = pages.first, first.usablePages * Self.length < caps.reach ?? .max else {
            return
        }
        func possibleCounts(_ pages: Int, _ length: Int) -> ClosedRange<Int> {
            max(0, (pages - 1) * length + 1)...max(0, pages * length)
        }
        log.expect(
            possibleCounts(first.usablePages, Self.length)
                .overlaps(possibleCounts(long.usablePages, Self.longLength)),
            operation,
            "has \(first.usablePages) pages of \(Self.length), but \(long.usablePages) of "
                + "\(Self.longLength)")
    }

    /// Checks that a page behind those that are compared has photos, and other ones than the first.
    private func checkMiddle(
        of area: CoordinateArea, after first: PhotoPage, _ operation: String,
        _ log: inout ConformanceLog
    ) async {
        let number = max(Self.longLength / Self.length, first.usablePages / 2) + 1
        guard number < first.usablePages,
            let middle = await page(number, Self.length, of: area, operation, &log)
        else { return }
        log.expect(
            !middle.photos.isEmpty || middle.droppedCount > 0, "\(operation), page \(number)",
            "is empty, although pages before and behind it are not")
        let known = Set(first.photos.map(\.identifier))
        log.expect(
            known.isDisjoint(with: middle.photos.map(\.identifier)), "\(operation), pages",
            "repeat a photo")
    }

    /// Checks that the last page has photos, and that no page follows it.
    private func checkEnd(
        of area: CoordinateArea, after first: PhotoPage, _ operation: String,
        _ log: inout ConformanceLog
    ) async {
        if first.usablePages > 1,
            let last = await page(first.usablePages, Self.length, of: area, operation, &log)
        {
            log.expect(
                !last.photos.isEmpty || last.droppedCount > 0, "\(operation), the last page",
                "is empty, so there are fewer pages than it counts")
        }
        for number in [max(1, first.usablePages) + 1, 1_000_000] {
            let beyond = await log.answer("\(operation), page \(number)") {
                try await source.photos(in: area, page: number, perPage: Self.length)
            }
            guard let beyond else { continue }
            log.expect(
                beyond.photos.isEmpty || beyond.page <= max(1, beyond.usablePages),
                "\(operation), page \(number)", "has photos but is not the last page")
            log.expect(
                beyond.photos.isEmpty || beyond.page == first.usablePages,
                "\(operation), page \(number)",
                "has photos, so there are more pages than it counts")
            log.expect(
                beyond.ending != nil, "\(operation), page \(number)", "goes on after the end")
        }
    }

    /// Whether an error says that the arguments of a call make no sense.
    static func isInvalidRequest(_ error: any Error) -> Bool {
        if case PhotoSourceError.invalidRequest = error { true } else { false }
    }

    private func checkImpossibleSearches(
        like area: CoordinateArea, _ operation: String, _ log: inout ConformanceLog
    ) async {
        var searches = [(area, 0, 5), (area, -1, 5), (area, 1, 0), (area, 1, -5)]
        searches += impossibleAreas(like: area).map { ($0, 1, 5) }
        for (area, page, perPage) in searches {
            await log.expectError(
                "\(operation), page \(page) of \(perPage) in \(area)", "invalidRequest",
                Self.isInvalidRequest,
                { try await source.photos(in: area, page: page, perPage: perPage) })
        }
    }

    private func impossibleAreas(like area: CoordinateArea) -> [CoordinateArea] {
        let nowhere = Coordinate(latitude: 91, longitude: .nan)
        switch area {
        case .circle:
            let tooLarge = source.caps.radii.map { $0.upperBound * 2 }
            return [.circle(center: nowhere, kilometers: radius)]
                + ([0, -1, .nan, .infinity] + [tooLarge].compactMap { $0 })
                .map { .circle(center: center, kilometers: $0) }
        case .box(let box):
            let earth = CoordinateBox(
                southwest: Coordinate(latitude: -90, longitude: -180),
                northeast: Coordinate(latitude: 90, longitude: 180))
            let isTooLarge = source.caps.boxAreas.map { $0.upperBound < earth.area } ?? false
            return [
                CoordinateBox(southwest: nowhere, northeast: center),
                CoordinateBox(southwest: box.northeast, northeast: box.southwest),
            ].map { .box($0) } + (isTooLarge ? [.box(earth)] : [])
        }
    }
}
