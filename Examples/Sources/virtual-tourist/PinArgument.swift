import ArgumentParser
import ExampleSupport
import PlacesKit

/// The pin that a command is about.
struct PinArgument: ParsableArguments {
    @Argument(help: "The pin's number in the list, or the beginning of its name.")
    var pin: String

    @MainActor
    func find(in library: PlacesLibrary) throws -> Pin {
        try Choosing.element(pin, of: try library.pins().objects, called: "pin", name: \.name)
    }
}

/// A point of the map, written by a person.
struct Point {
    let coordinate: Coordinate
    let name: String

    /// Reads latitude and longitude, or finds a top place of the source by the beginning of its name.
    ///
    /// - Throws: What the user should read.
    @MainActor
    init(_ text: String, in library: PlacesLibrary) async throws {
        let parts = text.split { $0 == "," || $0.isWhitespace }.map { Double(String($0)) }
        if parts.count == 2, let latitude = parts[0], let longitude = parts[1] {
            coordinate = Coordinate(latitude: latitude, longitude: longitude)
            name = ""
            return
        }
        guard !text.isEmpty, library.source.capabilities.contains(.places) else {
            throw Problem("“\(text)” is no point. Write LATITUDE,LONGITUDE.")
        }
        let places = try await Spinner.run("Looking for \(text)") {
            try await library.browsePlaces()
        }
        let known = places.compactMap { place in
            place.coordinate.map { (place: place, coordinate: $0) }
        }
        let found = try Choosing.element(text, of: known, called: "place", name: \.place.name)
        (coordinate, name) = (found.coordinate, found.place.title)
    }
}
