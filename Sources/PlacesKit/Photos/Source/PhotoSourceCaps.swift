/// The limits of one request to a photo source and of one search.
///
/// A source shortens pages that are too long, and refuses requests that exceed the other caps.
public struct PhotoSourceCaps: Sendable, Codable, Hashable {
    /// The largest number of photos in one page.
    public var pageLength: Int?
    /// The largest number of photos in all pages of one search.
    public var reach: Int?
    /// The radii, in kilometres, of the searches around a point that the source accepts.
    public var radii: ClosedRange<Double>?
    /// The areas, in square kilometres, of the boxes that the source can search.
    public var boxAreas: ClosedRange<Double>?

    /// Creates caps; there is no cap for a value that is left out.
    public init(
        pageLength: Int? = nil, reach: Int? = nil, radii: ClosedRange<Double>? = nil,
        boxAreas: ClosedRange<Double>? = nil
    ) {
        self.pageLength = pageLength
        self.reach = reach
        self.radii = radii
        self.boxAreas = boxAreas
    }

    /// The number of photos in a page if the caller asks for `requested`.
    public func pageLength(for requested: Int) -> Int {
        max(1, min(requested, pageLength ?? .max, reach ?? .max))
    }

    /// How many of the pages that the source reports can be fetched, with pages of a length.
    public func usablePages(of pages: Int, perPage: Int) -> Int {
        guard let reach else { return max(0, pages) }
        return max(0, min(pages, max(1, reach / max(1, perPage))))
    }

    /// Checks a search before it is sent.
    ///
    /// - Throws: `PhotoSourceError.invalidRequest` with what is wrong.
    public func validate(
        _ area: CoordinateArea, page: Int, perPage: Int
    ) throws(PhotoSourceError) {
        guard page > 0, perPage > 0 else {
            throw .invalidRequest(
                reason:
                    "pages count from 1 and hold at least 1 photo, not page \(page) of \(perPage)")
        }
        switch area {
        case .circle(let center, let radius):
            try center.validate()
            guard radius > 0, radius.isFinite, radii?.contains(radius) ?? true else {
                throw .invalidRequest(
                    reason: "\(radius) km is no radius for a search\(Self.range(radii, "km"))")
            }
        case .box(let box):
            guard box.isValid else {
                throw .invalidRequest(
                    reason: "no box of the Earth has the corners \(box.southwest.latitude), "
                        + "\(box.southwest.longitude) and \(box.northeast.latitude), "
                        + "\(box.northeast.longitude)")
            }
            guard boxAreas?.contains(box.area) ?? true else {
                throw .invalidRequest(
                    reason: "a box of \(box.area) km² is none for a search"
                        + Self.range(boxAreas, "km²"))
            }
        }
    }

    private static func range(_ range: ClosedRange<Double>?, _ unit: String) -> String {
        range.map { ", which takes \($0.lowerBound) to \($0.upperBound) \(unit)" } ?? ""
    }
}
