import Foundation

extension World {
    /// Generates a world; equal arguments give equal worlds.
    init(photos photoCount: Int, places placeCount: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let photographers = (0..<max(1, photoCount / 20)).map { number in
            "\(random.element(of: Self.givenNames)) \(random.element(of: Self.familyNames)) \(number)"
        }
        places = Self.makePlaces(placeCount, &random)
        photos = (0..<photoCount).map { number in
            Self.makePhoto(number, placeCount, photographers, &random)
        }
        lookedUpIDs = (0..<10_000).map { [photos] _ in random.element(of: photos).uniqueID }
        self.photographers = (0..<4).map { _ in random.element(of: photographers) }
        namePrefixes = (0..<8).map { number in Self.beginnings[number * 3] }
    }

    private static func makePlaces(_ count: Int, _ random: inout SplitMix64) -> [PlaceSample] {
        var taken: Set<String> = []
        return (0..<count).map { number in
            var name =
                random.element(of: beginnings) + random.element(of: middles)
                + random.element(of: endings)
            if !taken.insert(name).inserted {
                name += " \(number)"
                taken.insert(name)
            }
            return PlaceSample(name: name, country: random.element(of: countries))
        }
    }

    private static func makePhoto(
        _ number: Int, _ placeCount: Int, _ photographers: [String], _ random: inout SplitMix64
    ) -> PhotoSample {
        // An odd factor permutes the 32-bit numbers: ids are distinct, and in no order.
        let id = 10_000_000_000 + Int(UInt32(truncatingIfNeeded: number) &* 2_654_435_761)
        let words = 1 + random.index(below: 6)
        let title = (0..<words).map { _ in random.element(of: Self.words) }.joined(separator: " ")
        let subtitle = "\(random.element(of: Self.words)) near \(random.element(of: Self.words))"
        // Squared, so that some places are much photographed and others hardly.
        let popularity = random.fraction()
        let decade = 315_360_000.0
        return PhotoSample(
            uniqueID: String(id),
            title: title,
            subtitle: subtitle,
            url: "https://live.example.com/65535/\(id)_\(random.next() >> 24)_b.jpg",
            views: random.index(below: 100_000),
            rating: random.index(below: 6),
            latitude: random.fraction() * 180 - 90,
            longitude: random.fraction() * 360 - 180,
            isFavorite: random.index(below: 20) == 0,
            dateUploaded: Date(timeIntervalSinceReferenceDate: random.fraction() * decade),
            lastViewed: random.index(below: 3) == 0
                ? Date(timeIntervalSinceReferenceDate: (1 + random.fraction()) * decade) : nil,
            photographer: random.element(of: photographers),
            place: Int(popularity * popularity * Double(placeCount)))
    }

    private static let beginnings = [
        "San", "Mont", "Bel", "Kara", "Nor", "Ham", "Tor", "Vil", "Gran", "Os", "Lin", "Bra",
        "Que", "Rio", "Stav", "Wel", "Zar", "Al", "Chi", "Dor", "Ed", "Fre", "Gal", "Ist",
    ]
    private static let middles = ["a", "de", "en", "i", "la", "mar", "o", "re", "ta", "ver"]
    private static let endings = [
        "burg", "dal", "field", "grad", "ham", "mouth", "polis", "stad", "ton", "ville",
    ]
    private static let countries = [
        "Argentina", "Canada", "Denmark", "Estonia", "France", "Germany", "India", "Japan",
        "Kenya", "Morocco", "New Zealand", "Norway", "Peru", "Portugal", "Turkey", "Uruguay",
    ]
    private static let words = [
        "harbour", "café", "light", "bridge", "at dawn", "old town", "Zürich", "rain", "market",
        "cathedral", "snow", "tram", "garden", "river", "lighthouse", "sunset", "street", "über",
        "panorama", "fjord", "señor", "summer", "archway", "night",
    ]
    private static let givenNames = [
        "Ada", "Bruno", "Chen", "Dilek", "Emil", "Farah", "Goran", "Hana", "Ines", "Jonas",
    ]
    private static let familyNames = [
        "Aalto", "Baker", "Costa", "Duarte", "Eriksen", "Fontana", "Ito", "Kovacs", "Okafor",
    ]
}
