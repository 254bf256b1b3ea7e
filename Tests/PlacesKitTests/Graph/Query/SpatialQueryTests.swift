import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Objects in boxes and circles of the map, with and without an index.
@Suite struct SpatialQueryTests {
    final class Spot: ManagedObject {
        @Attribute var number = 0
        @Composite var coordinate: Coordinate?
        @Attribute var latitude: Double?
        @Attribute var longitude: Double?
        @Relationship(inverse: \Spot.visitors) var visited: Spot?
        @Relationship var visitors: ObjectSet<Spot>

        var computed: Coordinate? {
            guard let latitude, let longitude else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }

        override class var constraints: [EntityConstraint] {
            [
                .spatialIndex(\Spot.coordinate),
                .spatialIndex(latitude: \Spot.latitude, longitude: \Spot.longitude),
            ]
        }
    }

    private let context: ManagedObjectContext

    init() throws { context = ManagedObjectContext(try GraphStore(model: [Spot.self])) }

    /// Points that gather at a few places, on the poles, on both sides of the 180th meridian, and nowhere.
    private static func point(_ random: inout SeededGenerator) -> Coordinate? {
        func near(_ latitude: Double, _ longitude: Double, _ spread: Double) -> Coordinate {
            Coordinate(
                latitude: latitude + Double.random(in: -spread...spread, using: &random),
                longitude: longitude + Double.random(in: -spread...spread, using: &random))
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return nil
        case 12: return Coordinate(latitude: 10, longitude: 180)
        case 13: return Coordinate(latitude: 10, longitude: -180)
        case 1: return near(89.5, 0, 1)
        case 2:
            return Coordinate(
                latitude: -90, longitude: Double.random(in: -180...180, using: &random))
        case 3: return near(10, 180, 0.5)
        case 4: return near(10, -179.8, 0.3)
        case 5: return Coordinate(latitude: .nan, longitude: 3)
        case 6: return Coordinate(latitude: 48, longitude: 2)
        case 7, 8: return near(48.85, 2.35, 0.2)
        default:
            return Coordinate(
                latitude: Double.random(in: -90...90, using: &random),
                longitude: Double.random(in: -180...180, using: &random))
        }
    }

    private static func area(_ random: inout SeededGenerator) -> CoordinateArea {
        let center = point(&random) ?? Coordinate(latitude: 0, longitude: 0)
        switch Int.random(in: 0..<6, using: &random) {
        case 5:
            return .box(
                CoordinateBox(
                    southwest: Coordinate(
                        latitude: 8,
                        longitude: [170, 180, -180][Int.random(in: 0..<3, using: &random)]),
                    northeast: Coordinate(
                        latitude: 12,
                        longitude: [180, -180, -170][Int.random(in: 0..<3, using: &random)])))
        case 0:
            let other = point(&random) ?? center
            return .box(CoordinateBox(southwest: center, northeast: other))
        case 1:
            return .box(
                CoordinateBox(center: center, degrees: Double.random(in: 0...3, using: &random)))
        default:
            let kilometers =
                [0, 0.5, 5, 50, 500, 5_000, 20_100, .infinity, .nan, -1]
                .randomElement(using: &random) ?? 1
            return .circle(center: center, kilometers: kilometers)
        }
    }

    private static func move(_ spot: Spot, _ random: inout SeededGenerator) {
        let point = point(&random)
        spot.coordinate = point
        spot.latitude = point?.latitude
        spot.longitude = point?.longitude
    }

    private func fill(_ count: Int, _ random: inout SeededGenerator) -> [Spot] {
        let spots = (0..<count).map { number in
            let spot = Spot(context: context)
            spot.number = number
            Self.move(spot, &random)
            return spot
        }
        for spot in spots where Bool.random(using: &random) {
            spot.visited = spots.randomElement(using: &random)
        }
        return spots
    }

    private func numbers(_ predicate: CompoundPredicate<Spot>) throws -> Set<Int> {
        let request = try FetchRequest(where: predicate)
        let found = Set(try context.fetch(request).map(\.number))
        #expect(try context.exists(request) == !found.isEmpty)
        return found
    }

    @Test(arguments: 0..<6) func `what lies in an area is found, as each object would be asked`(
        seed: Int
    ) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let spots = fill(seed.isMultiple(of: 3) ? 1_500 : 200, &random)
        try context.save()
        for _ in 0..<40 {
            for _ in 0..<3 {
                Self.move(spots[Int.random(in: 0..<spots.count, using: &random)], &random)
            }
            let area = Self.area(&random)
            let expected = Set(
                spots.filter { $0.coordinate.map(area.contains) ?? false }.map(\.number))
            #expect(try numbers(.located(in: area, \.coordinate)) == expected, "\(area)")
            #expect(
                try numbers(.located(in: area, latitude: \.latitude, longitude: \.longitude))
                    == expected, "\(area)")
            #expect(
                try numbers(!.located(in: area, \.coordinate))
                    == Set(spots.map(\.number)).subtracting(expected), "\(area)")
            let visitors = spots.filter { $0.visited?.coordinate.map(area.contains) ?? false }
            #expect(
                try numbers(.located(in: area, \.visited?.coordinate))
                    == Set(visitors.map(\.number)),
                "\(area)")
            let even = CompoundPredicate<Spot>(#Predicate { $0.number % 2 == 0 })
            #expect(
                try numbers(.located(in: area, \.coordinate) && even)
                    == expected.filter { $0 % 2 == 0 })
        }
        try context.checkIntegrity()
    }

    @Test(arguments: 0..<6) func `comparisons of both degrees use the index too`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let spots = fill(2_000, &random)
        for _ in 0..<40 {
            let (south, west) = (
                Double.random(in: -91...90, using: &random),
                Double.random(in: -181...180, using: &random)
            )
            let (north, east) = (south + 3, west + 5)
            let predicate = #Predicate<Spot> {
                $0.latitude.flatMap { $0 >= south && $0 < north } == true
                    && $0.longitude.flatMap { $0 > west && $0 <= east } == true
            }
            let expected = spots.filter { spot in
                guard let latitude = spot.latitude, let longitude = spot.longitude else {
                    return false
                }
                return latitude >= south && latitude < north && longitude > west
                    && longitude <= east
            }
            #expect(
                Set(try context.fetch(FetchRequest(predicate: predicate)).map(\.number))
                    == Set(expected.map(\.number)))
            let format = try FetchRequest<Spot>(
                where: "latitude >= %@ AND latitude < %@ AND longitude > %@ AND longitude <= %@",
                south, north, west, east)
            #expect(
                Set(try context.fetch(format).map(\.number)) == Set(expected.map(\.number)))
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `the combinations of many gaps between longitudes are not all tried`() throws {
        for number in 0..<100 {
            let spot = Spot(context: context)
            spot.number = number
            spot.latitude = 10
            spot.longitude = Double(number) / 2
        }
        let area = "latitude > 0 AND latitude < 20 AND longitude > -1 AND longitude < 60"
        let gaps = (0..<40).map { "(longitude < \($0) OR longitude > \($0 + 1))" }
            .joined(separator: " AND ")
        for format in ["\(area) AND \(gaps)", "\(gaps) AND \(area)"] {
            let found = try context.fetch(FetchRequest<Spot>(where: PredicateFormat(format)))
            #expect(Set(found.map(\.number)) == Set(81..<100))
        }
        let nowhere = "\(area) AND (longitude < 1 OR longitude > 40) AND longitude == 2"
        #expect(try context.count(FetchRequest<Spot>(where: PredicateFormat(nowhere))) == 0)
    }

    @Test func `the edge of a box that is the 180th meridian holds both its longitudes`() throws {
        for (number, longitude) in [180, -180, 179.5, -179.5].enumerated() {
            let spot = Spot(context: context)
            spot.number = number
            spot.coordinate = Coordinate(latitude: 0, longitude: longitude)
            (spot.latitude, spot.longitude) = (0, longitude)
        }
        for (west, east, expected) in [
            (170.0, 180.0, [0, 1, 2]), (-180, -170, [0, 1, 3]), (170, -180, [0, 1, 2]),
            (180, -170, [0, 1, 3]), (180, 180, [0, 1]), (-180, 180, [0, 1, 2, 3]),
        ] {
            let area = CoordinateArea.box(
                CoordinateBox(
                    southwest: Coordinate(latitude: -1, longitude: west),
                    northeast: Coordinate(latitude: 1, longitude: east)))
            #expect(try numbers(.located(in: area, \.coordinate)) == Set(expected), "\(area)")
            #expect(
                try numbers(.located(in: area, latitude: \.latitude, longitude: \.longitude))
                    == Set(expected), "\(area)")
        }
    }

    @Test(arguments: 0..<4) func `the nearest come first, as when all are sorted`(seed: Int) throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let spots = fill(seed.isMultiple(of: 2) ? 1_500 : 150, &random)
        func kilometers(_ spot: Spot?, _ center: Coordinate) -> Double {
            guard let point = spot?.coordinate, point.isValid, center.isValid else {
                return .infinity
            }
            return center.distance(to: point)
        }
        for round in 0..<25 {
            Self.move(spots[Int.random(in: 0..<spots.count, using: &random)], &random)
            let center = Self.point(&random) ?? Coordinate(latitude: 0, longitude: 0)
            let limit = [1, 3, 50, 300, nil].randomElement(using: &random) ?? nil
            let order: SortOrder = round % 7 == 0 ? .reverse : .forward
            for predicate: CompoundPredicate<Spot>? in [
                nil, CompoundPredicate(#Predicate { $0.number % 3 == 0 }),
                .located(in: .circle(center: center, kilometers: 800), \.coordinate),
                CompoundPredicate(#Predicate { $0.number == 77 }),
            ] {
                var request = FetchRequest<Spot>(
                    sortBy: [SortDescriptor(\.coordinate, distanceFrom: center, order: order)],
                    limit: limit)
                request.compound = predicate
                let matching =
                    try predicate.map { Array(try context.fetch(FetchRequest(where: $0))) } ?? spots
                let expected = matching.sorted { left, right in
                    let (a, b) = (kilometers(left, center), kilometers(right, center))
                    return a == b ? left.number < right.number : order == .forward ? a < b : b < a
                }
                #expect(
                    try context.fetch(request).map(\.number)
                        == expected.prefix(limit ?? .max).map(\.number), "\(center)")
                #expect(try request.explain(in: context).notCompiled.isEmpty)
                request.sortDescriptors.append(SortDescriptor(\.number, order: .reverse))
                let turned = matching.sorted { left, right in
                    let (a, b) = (kilometers(left, center), kilometers(right, center))
                    return a == b ? left.number > right.number : order == .forward ? a < b : b < a
                }
                #expect(
                    try context.fetch(request).map(\.number)
                        == turned.prefix(limit ?? .max).map(\.number), "\(center), then by number")
            }
            let visitors = FetchRequest<Spot>(
                sortBy: [SortDescriptor(\.visited?.coordinate, distanceFrom: center)], limit: 20)
            let expected = spots.sorted {
                let (a, b) = (kilometers($0.visited, center), kilometers($1.visited, center))
                return a == b ? $0.number < $1.number : a < b
            }
            #expect(try context.fetch(visitors).map(\.number) == expected.prefix(20).map(\.number))
        }
    }

    @Test func `the nearest are found by reading what lies near`() throws {
        var random = SeededGenerator(seed: 11)
        _ = fill(5_000, &random)
        let request = FetchRequest<Spot>(
            sortBy: [
                SortDescriptor(
                    \.coordinate, distanceFrom: Coordinate(latitude: 48.85, longitude: 2.35))
            ], limit: 10)
        let text = try request.explain(in: context).description
        #expect(text.contains("the 10 nearest to 48.85, 2.35 by the spatial index of Spot"))
        var several = request
        several.sortDescriptors.append(SortDescriptor(\.number))
        let other = try several.explain(in: context).description
        #expect(other.contains("the 10 nearest to 48.85, 2.35 by the spatial index of Spot"))
        #expect(other.contains(", and sort those that are equally far"))
    }

    @Test(arguments: 0..<4) func `a live list of the nearest follows what moves`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let spots = fill(200, &random)
        try context.save()
        let center = Coordinate(latitude: 48.85, longitude: 2.35)
        let request = FetchRequest<Spot>(
            sortBy: [SortDescriptor(\.coordinate, distanceFrom: center)], limit: 12)
        let controller = try FetchedResultsController(request, in: context)
        for _ in 0..<80 {
            Self.move(spots[Int.random(in: 0..<spots.count, using: &random)], &random)
            context.processPendingChanges()
            #expect(controller.objects.map(\.number) == (try context.fetch(request).map(\.number)))
        }
    }

    @Test func `a small area reads only what lies there`() throws {
        var random = SeededGenerator(seed: 3)
        _ = fill(5_000, &random)
        let circle = CoordinateArea.circle(
            center: Coordinate(latitude: 48.85, longitude: 2.35), kilometers: 2)
        let text = try FetchRequest<Spot>(where: .located(in: circle, \.coordinate))
            .explain(in: context).description
        #expect(
            text.contains(
                "of the spatial index of Spot by coordinate.latitude, coordinate.longitude"))
    }

    @Test func `a computed coordinate is asked of each object`() throws {
        var random = SeededGenerator(seed: 5)
        let spots = fill(100, &random)
        let area = CoordinateArea.circle(
            center: Coordinate(latitude: 48.85, longitude: 2.35), kilometers: 20)
        let request = try FetchRequest<Spot>(where: .located(in: area, \.computed))
        #expect(
            Set(try context.fetch(request).map(\.number))
                == Set(spots.filter { $0.computed.map(area.contains) ?? false }.map(\.number)))
        #expect(!(try request.explain(in: context).notCompiled.isEmpty))
    }

    @Test(arguments: 0..<4) func `a live list follows what moves into an area and out of it`(
        seed: Int
    ) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let spots = fill(300, &random)
        try context.save()
        let area = CoordinateArea.circle(
            center: Coordinate(latitude: 10, longitude: 180), kilometers: 60)
        let request = try FetchRequest<Spot>(
            where: .located(in: area, \.coordinate), sortBy: [SortDescriptor(\.number)])
        let controller = try FetchedResultsController(request, in: context)
        for _ in 0..<100 {
            Self.move(spots[Int.random(in: 0..<spots.count, using: &random)], &random)
            context.processPendingChanges()
            #expect(
                controller.objects.map(\.number)
                    == spots.filter { $0.coordinate.map(area.contains) ?? false }.map(\.number))
        }
    }

    @Test func `an index of what is not two numbers is refused`() {
        final class Wrong: ManagedObject {
            @Attribute var name = ""
            @Attribute var longitude = 0.0
            override class var constraints: [EntityConstraint] {
                [.spatialIndex(latitude: \Wrong.name, longitude: \Wrong.longitude)]
            }
        }
        let error = #expect(throws: SchemaError.self) { try GraphStore(model: [Wrong.self]) }
        #expect(error.map { "\($0)" }?.contains("name") == true)
    }

    @Test func `a document keeps the index`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: [Spot.self])
            let spot = Spot(context: document.viewContext)
            spot.coordinate = Coordinate(latitude: 1, longitude: 2)
            try document.viewContext.save()
            try await document.compact()
            try await document.close()
            let copy = try await ManagedDocument.open(at: url, model: [Spot.self])
            try copy.viewContext.checkIntegrity()
            let area = CoordinateArea.circle(
                center: Coordinate(latitude: 1, longitude: 2), kilometers: 1)
            #expect(
                try copy.viewContext.fetch(
                    FetchRequest<Spot>(where: .located(in: area, \.coordinate))
                )
                .count == 1)
            try await copy.close()
        }
    }
}
