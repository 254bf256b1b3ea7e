/// The outlines of land as polygons.
struct LandShape {
    /// The corners of each, in degrees.
    private let polygons: [[(longitude: Double, latitude: Double)]]

    static let world = LandShape(path: LandOutlines.path)

    /// Reads a path that moves to a point, draws lines by steps, and closes that, again and again.
    private init(path: String) {
        var polygons: [[(longitude: Double, latitude: Double)]] = []
        for part in path.split(separator: "M") {
            var (x, y) = (0, 0)
            var corners: [(longitude: Double, latitude: Double)] = []
            let numbers = Self.numbers(in: part)
            for index in stride(from: 0, to: numbers.count - 1, by: 2) {
                x += numbers[index]
                y += numbers[index + 1]
                corners.append((Double(x) / 10, Double(-y) / 10))
            }
            polygons.append(corners)
        }
        self.polygons = polygons
    }

    /// The numbers of a text, which end where anything else is or a sign begins the next one.
    private static func numbers(in text: Substring) -> [Int] {
        var numbers: [Int] = []
        var digits = ""
        for character in text + " " {
            if character.isNumber {
                digits.append(character)
            } else {
                if let number = Int(digits) { numbers.append(number) }
                digits = character == "-" ? "-" : ""
            }
        }
        return numbers
    }

    /// The parts of a parallel that are land: where each begins and ends, in degrees of longitude.
    func land(at latitude: Double) -> [(west: Double, east: Double)] {
        var crossings: [Double] = []
        for corners in polygons {
            guard var last = corners.last else { continue }
            for corner in corners {
                if (last.latitude > latitude) != (corner.latitude > latitude) {
                    let part =
                        (latitude - last.latitude) / (corner.latitude - last.latitude)
                    crossings.append(
                        last.longitude + part * (corner.longitude - last.longitude))
                }
                last = corner
            }
        }
        crossings.sort()
        return stride(from: 0, to: crossings.count - 1, by: 2)
            .map { (crossings[$0], crossings[$0 + 1]) }
    }
}
