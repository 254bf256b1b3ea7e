public import Foundation
public import PlacesGraphTesting
public import PlacesKit

/// Checks that a photo source keeps the promises of its protocol.
///
/// Run it against your own source:
///
/// ```swift
/// @Test func `my source keeps the promises of PhotoSource`() async {
///     let violations = await PhotoSourceConformance(MySource(), near: paris).violations()
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
///
/// It repeats calls, makes others at the same time, and cancels some of them, to find answers that
/// change although they must not. That makes a few hundred calls. So let it call a recording or a
/// stand-in rather than a service, with at least ten photos around the point.
public struct PhotoSourceConformance: Sendable {
    let source: any PhotoSource
    let center: Coordinate
    let radius: Double
    let now: Date

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - source: The source to check.
    ///   - center: A point around which it has photos.
    ///   - kilometers: The radius of the search.
    ///   - now: The current time, after which no photo can have been published.
    public init(
        _ source: any PhotoSource, near center: Coordinate, kilometers: Double = 5,
        now: Date = Date()
    ) {
        self.source = source
        self.center = center
        radius = kilometers
        self.now = now
    }

    /// All promises that the source does not keep.
    public func violations() async -> [ConformanceViolation] {
        var log = ConformanceLog()
        let photos = await somePhotos()
        let calls = await calls(about: photos)
        // This comes first, before answers that the source remembers from other calls hide
        // differences.
        await checkRepetition(of: calls, &log)
        checkTraits(&log)
        await checkCapabilities(&log)
        await checkPlaces(&log)
        await checkRecentPhotos(&log)
        for area in areas(around: center) { await checkArea(area, &log) }
        await checkPhotos(photos, &log)
        await checkCancellation(of: calls, &log)
        await checkConcurrency(of: calls, &log)
        return log.violations
    }

    /// A circle and a box around a point, if the source searches them.
    func areas(around center: Coordinate) -> [CoordinateArea] {
        [.circle(center: center, kilometers: radius), .box(box(around: center))]
            .filter { source.capabilities.contains($0.capability) }
    }

    /// The box that extends this many radii from a point to the north and south.
    func box(around center: Coordinate, radii: Double = 1) -> CoordinateBox {
        CoordinateBox(center: center, degrees: radii * radius / 112)
    }

    /// Up to three photos of the area, or else of the recent ones.
    private func somePhotos() async -> [PhotoRecord] {
        var photos: [PhotoRecord] = []
        if let area = areas(around: center).first {
            let page = try? await source.photos(in: area, page: 1, perPage: 5)
            photos = page?.photos ?? []
        }
        if photos.isEmpty { photos = (try? await source.recentPhotos(limit: 5)) ?? [] }
        return Array(photos.prefix(3))
    }
}
