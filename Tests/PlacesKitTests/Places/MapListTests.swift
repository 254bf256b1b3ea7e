import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Pins and photos in a part of the map.
@MainActor @Suite struct MapListTests {
    @Test(arguments: UInt64(1)...3)
    func `lists of a part of the map show what lies there, whatever is dropped, moved and deleted`(
        seed: UInt64
    ) async throws {
        try await LibraryFixture.with { fixture in
            var generator = SeededGenerator(seed: seed)
            func point() -> Coordinate {
                Coordinate(
                    latitude: Double(Int.random(in: -9...9, using: &generator) * 10),
                    longitude: Double(Int.random(in: -18...18, using: &generator) * 10))
            }
            let library = try await fixture.open(TestSource([]))
            let regions = [
                MapRegion(center: point(), latitudeDelta: 60, longitudeDelta: 100),
                // Across the 180th meridian, over a pole, and the whole map.
                MapRegion(
                    center: Coordinate(latitude: 0, longitude: 175), latitudeDelta: 90,
                    longitudeDelta: 60),
                MapRegion(
                    center: Coordinate(latitude: 80, longitude: -175), latitudeDelta: 60,
                    longitudeDelta: 90),
                MapRegion(center: point(), latitudeDelta: 180, longitudeDelta: 360),
            ]
            let lists = try regions.map {
                (
                    region: $0, pins: try library.pins(in: $0.area),
                    photos: try library.photos(in: $0.area)
                )
            }
            for round in 0..<60 {
                let pins = try library.pins().objects
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    if let pin = pins.randomElement(using: &generator) { try library.delete(pin) }
                case 1:
                    if let pin = pins.randomElement(using: &generator) {
                        try library.move(pin, to: point())
                    }
                case 2: try library.dropPin(at: point())
                default:
                    var record = record("\(Int.random(in: 0..<20, using: &generator))")
                    record.coordinate = Bool.random(using: &generator) ? point() : nil
                    try library.view(record)
                }
                library.context.processPendingChanges()
                for (region, pins, photos) in lists {
                    let place = "seed \(seed), round \(round), \(region)"
                    let all = try library.pins().objects
                    #expect(
                        pins.objects.map(\.objectID)
                            == all.filter { region.area.contains($0.coordinate) }.map(\.objectID),
                        "\(place)")
                    let shown = try library.context.fetch(Photo.self).filter {
                        $0.coordinate.map(region.area.contains) ?? false
                    }
                    #expect(
                        Set(photos.objects.map(\.uniqueID)) == Set(shown.map(\.uniqueID)),
                        "\(place)")
                }
            }
            try library.context.checkIntegrity()
        }
    }

    @Test func `an empty part of the map says so`() async throws {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource([]))
            let region = MapRegion(
                center: Coordinate(latitude: 1, longitude: 2), latitudeDelta: 1, longitudeDelta: 1)
            #expect(try library.pins(in: region.area).message == "No pins here.")
            #expect(try library.photos(in: region.area).message == "No photos here.")
        }
    }

    @Test(arguments: [(Double.nan, 1.0), (1, -1), (.infinity, 1)])
    func `a map whose height or width is no number is refused`(
        height: Double, width: Double
    ) async throws {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource())
            let region = MapRegion(
                center: Coordinate(latitude: 1, longitude: 2), latitudeDelta: height,
                longitudeDelta: width)
            let error = #expect(throws: PlacesError.self) { try library.setMapRegion(region) }
            #expect(error?.description.contains("degrees high") == true)
            #expect(try library.mapRegion() == nil)
        }
    }
}
