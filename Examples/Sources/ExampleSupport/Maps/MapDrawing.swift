import Foundation
import PlacesKit

/// A map as SVG, for a page: land, a graticule, and a mark for each row that is somewhere.
enum MapDrawing {
    /// The map's own element; `nil` where no row is on it.
    static func svg(of rows: [(number: Int, row: Row)]) -> String? {
        let marks = rows.compactMap { number, row in
            row.coordinate.flatMap { $0.isValid ? (number: number, row: row, point: $0) : nil }
        }
        guard !marks.isEmpty else { return nil }
        let frame = MapFrame(around: marks.map(\.point), ratio: 2)
        let view = [frame.west, -frame.north, frame.width, frame.height].map(degrees)
        // Many marks are small ones.
        let size = frame.width / (marks.count > 30 ? 160 : 110)
        // The later ones lie above: of marks that cover each other the first of the list is seen.
        let pins = marks.reversed().map { number, row, point in
            """
            <a href="#row-\(number)"><circle cx="\(degrees(point.longitude))" \
            cy="\(degrees(-point.latitude))" r="\(degrees(size))" class="mark" \
            stroke-width="\(degrees(size / 4))"><title>\(number). \
            \(row.title.forTerminal.escapedForHTML)</title></circle></a>
            """
        }
        return """
            <svg class="map" viewBox="\(view.joined(separator: " "))" role="img" aria-label="Map">
            <rect class="sea" x="-180" y="-90" width="360" height="180"/>
            <path class="land" transform="scale(.1)" d="\(LandOutlines.path)"/>
            <path class="lines" stroke-width="\(degrees(size / 12))" d="\(graticule)"/>
            \(pins.joined(separator: "\n"))
            </svg>
            """
    }

    private static let graticule =
        (stride(from: -180, through: 180, by: 15).map { "M\($0)-90V90" }
        + stride(from: -75, through: 75, by: 15).map { "M-180 \($0)H180" }).joined()

    /// A number of degrees, to about ten metres.
    private static func degrees(_ number: Double) -> String {
        "\((number * 10_000).rounded() / 10_000)"
    }
}
