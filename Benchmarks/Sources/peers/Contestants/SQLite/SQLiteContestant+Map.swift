import Foundation
import PlacesKit

extension SQLiteContestant {
    /// The photos with an R*Tree of their coordinates.
    static func map(of world: World) throws -> SQLiteConnection {
        let connection = try makeEmpty()
        try insert(world, into: connection)
        try connection.execute(
            """
            CREATE VIRTUAL TABLE photoMap USING rtree(id, south, north, west, east);
            INSERT INTO photoMap SELECT id, latitude, latitude, longitude, longitude FROM photo;
            ANALYZE;
            """)
        return connection
    }

    /// The tree has numbers of 32 bits, rounded outwards: the photo's own decide.
    private static func photos(_ columns: String) -> String {
        """
        SELECT \(columns) FROM photoMap JOIN photo ON photo.id = photoMap.id
        WHERE photoMap.north >= ?1 AND photoMap.south <= ?2
            AND photoMap.east >= ?3 AND photoMap.west <= ?4
            AND photo.latitude >= ?1 AND photo.latitude <= ?2
            AND photo.longitude >= ?3 AND photo.longitude <= ?4
        """
    }

    private static func bind(_ box: CoordinateBox, to statement: SQLiteStatement) {
        statement.bind(box.southwest.latitude, at: 1)
        statement.bind(box.northeast.latitude, at: 2)
        statement.bind(box.southwest.longitude, at: 3)
        statement.bind(box.northeast.longitude, at: 4)
    }

    func countInBoxes(_ round: inout Round) throws -> Checksum {
        let inBox = try map.get().statement(Self.photos("photo.views"))
        return try round.measure {
            var checksum = Checksum()
            for box in world.boxes {
                var (count, views) = (0, 0)
                for part in box.halves {
                    Self.bind(part, to: inBox)
                    while try inBox.step() {
                        count += 1
                        views += inBox.integer(0)
                    }
                    inBox.reset()
                }
                checksum.append(count)
                checksum.append(views)
            }
            return checksum
        }
    }

    /// A box that grows until enough photos are in the circle that it holds.
    func findNearest(_ round: inout Round) throws -> Checksum {
        let inBox = try map.get().statement(
            Self.photos("photo.uniqueID, photo.latitude, photo.longitude, photo.id"))
        // As far as that many photos reach on average.
        let area = 510e6 * Double(world.limit) / Double(world.photos.count)
        let start = (area / .pi).squareRoot() * 1.2
        return try round.measure {
            var checksum = Checksum()
            for center in world.mapCenters {
                var kilometers = start
                while true {
                    var found: [(kilometers: Double, id: Int, uniqueID: String)] = []
                    for part in CoordinateBox.around(center, kilometers: kilometers) {
                        Self.bind(part, to: inBox)
                        while try inBox.step() {
                            let distance = center.distance(
                                to: Coordinate(
                                    latitude: inBox.double(1), longitude: inBox.double(2)))
                            if distance <= kilometers {
                                found.append(
                                    (
                                        distance, inBox.integer(3),
                                        String(decoding: inBox.utf8(0), as: UTF8.self)
                                    ))
                            }
                        }
                        inBox.reset()
                    }
                    if found.count >= world.limit {
                        found.sort { ($0.kilometers, $0.id) < ($1.kilometers, $1.id) }
                        for photo in found.prefix(world.limit) {
                            checksum.append(photo.uniqueID.utf8)
                        }
                        break
                    }
                    kilometers *= 1.5
                }
            }
            return checksum
        }
    }
}

extension CoordinateBox {
    /// The box, cut at the 180th meridian.
    fileprivate var halves: [CoordinateBox] {
        guard southwest.longitude > northeast.longitude else { return [self] }
        return [
            CoordinateBox(
                southwest: southwest,
                northeast: Coordinate(latitude: northeast.latitude, longitude: 180)),
            CoordinateBox(
                southwest: Coordinate(latitude: southwest.latitude, longitude: -180),
                northeast: northeast),
        ]
    }

    /// Boxes with all points that are so near to a point.
    fileprivate static func around(_ center: Coordinate, kilometers: Double) -> [CoordinateBox] {
        let height = kilometers / 111
        let highest = min(89.9, abs(center.latitude) + height)
        let width = height / cos(highest * .pi / 180)
        let reachesAround = width >= 180
        func wrapped(_ longitude: Double) -> Double {
            longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
        }
        return CoordinateBox(
            southwest: Coordinate(
                latitude: max(-90, center.latitude - height),
                longitude: reachesAround ? -180 : wrapped(center.longitude - width)),
            northeast: Coordinate(
                latitude: min(90, center.latitude + height),
                longitude: reachesAround ? 180 : wrapped(center.longitude + width))
        ).halves
    }
}
