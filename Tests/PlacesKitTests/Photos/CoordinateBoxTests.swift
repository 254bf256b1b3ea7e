import Foundation
import PlacesKit
import Testing

@Suite struct CoordinateBoxTests {
    private func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double)
        -> CoordinateBox
    {
        CoordinateBox(
            southwest: Coordinate(latitude: south, longitude: west),
            northeast: Coordinate(latitude: north, longitude: east))
    }

    private func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test func `a box across the antimeridian holds what lies on either side of it`() {
        let fiji = box(-18, 177, -16, -179)
        #expect(fiji.isValid)
        #expect(fiji.contains(point(-17, 179)))
        #expect(fiji.contains(point(-17, -179.5)))
        #expect(fiji.contains(point(-17, 180)))
        #expect(!fiji.contains(point(-17, 0)))
        #expect(!fiji.contains(point(-15, 179)))
        #expect(fiji.center == point(-17, 179))
        #expect(fiji.parts == [box(-18, 177, -16, 180), box(-18, -180, -16, -179)])
        #expect(box(1, 2, 3, 4).parts == [box(1, 2, 3, 4)])
        #expect(box(1, 180, 2, -179).parts == [box(1, -180, 2, -179)])
    }

    @Test func `a box around a point wraps around the Earth and ends at the poles`() {
        #expect(
            CoordinateBox(center: point(10, 20), degrees: 0.5) == box(9.5, 19.5, 10.5, 20.5))
        #expect(CoordinateBox(center: point(0, 180), degrees: 1) == box(-1, 179, 1, -179))
        #expect(CoordinateBox(center: point(89.5, 0), degrees: 1) == box(88.5, -1, 90, 1))
        #expect(CoordinateBox(center: point(0, 5), degrees: 500) == box(-90, -180, 90, 180))
    }

    @Test func `a box that ends at the antimeridian holds what lies there, whatever its sign`() {
        for box in [box(-1, 170, 1, 180), box(-1, -180, 1, -170), box(-1, 180, 1, -179)] {
            for longitude in [180.0, -180] {
                #expect(box.contains(point(0, longitude)), "\(box)")
                #expect(!box.contains(point(2, longitude)), "\(box)")
                #expect(CoordinateArea.box(box).contains(point(0, longitude)), "\(box)")
            }
            #expect(!box.contains(point(0, 0)))
        }
        #expect(CoordinateBox(center: point(0, 179), degrees: 1).contains(point(0, -180)))
        #expect(!box(-1, 170, 1, 179).contains(point(0, -180)))
    }

    @Test func `corners that are none make no box, nor do those of a line`() {
        #expect(!box(2, 1, 1, 2).isValid)
        #expect(!box(1, 2, 1, 3).isValid)
        #expect(!box(1, 2, 2, 2).isValid)
        #expect(!box(1, 1, 91, 2).isValid)
        #expect(!box(.nan, 1, 2, 2).isValid)
    }

    @Test func `the area is that of the rectangle at the middle latitude`() {
        #expect(abs(box(0, 0, 0.001, 0.001).area * 1e6 - 12_364) < 1)
        #expect(abs(box(60, 0, 60.001, 0.001).area * 1e6 - 6_182) < 1)
        #expect(abs(box(-0.5, 179.5, 0.5, -179.5).area - 12_364) < 1)
    }

    @Test func `an expanded box holds all that lies so near to it`() {
        var random = SplitMix64(seed: 7)
        for round in 0..<500 {
            let inner = CoordinateBox(
                center: point(random.unit() * 160 - 80, random.unit() * 360 - 180),
                degrees: 0.1 + random.unit() * 5)
            let outer = inner.expanded(by: 10)
            let near = point(random.unit() * 170 - 85, random.unit() * 360 - 180)
            let corners = [inner.southwest, inner.northeast, inner.center]
            guard corners.contains(where: { $0.distance(to: near) <= 10 }) else { continue }
            #expect(outer.contains(near), "round \(round)")
        }
    }

    @Test(arguments: [
        (1e-5, "0.00001"), (-0.127_799_999_999_98, "-0.1278"), (5, "5"), (180, "180"),
        (48.85, "48.85"), (0, "0"), (-17.5, "-17.5"), (1e-9, "0"),
    ])
    func `a coordinate is written without exponent`(number: Double, text: String) {
        #expect(number.decimalText == text)
    }
}
