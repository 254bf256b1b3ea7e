import Foundation
import PlacesPhotos

/// An invented world that is computed from a seed and an index, so that its size costs no memory.
///
/// Photos are numbered from the newest. Photo n lies in place n modulo the number of places. So
/// both the newest photos of all and the newest of one place are found without a search.
struct SampleWorld: Sendable {
    /// The largest distance of a photo from the middle of its place, in kilometres.
    static let scatter = 4.0
    /// The time over which uploads are spread, in seconds.
    private static let span = 2 * 365 * 86_400.0
    /// The angle, in radians, at which the points of a spiral never line up.
    private static let goldenAngle = Double.pi * (3 - 5.0.squareRoot())

    let seed: UInt64
    let placeCount: Int
    let photosPerPlace: Int
    let photographerCount: Int
    let referenceDate: Date

    var photoCount: Int { placeCount * photosPerPlace }

    func place(at index: Int) -> PlaceRecord {
        PlaceRecord(
            identifier: "place-\(index)", name: placeName(at: index),
            coordinate: coordinate(ofPlaceAt: index), photoCount: photosPerPlace)
    }

    /// The index of a place by its identifier, or nil if this world has no such place.
    func placeIndex(identifier: String) -> Int? {
        index(in: identifier, after: "place-", below: placeCount)
    }

    /// The index of a photo by its identifier, or nil if this world has no such photo.
    func photoIndex(identifier: String) -> Int? {
        index(in: identifier, after: identifierPrefix, below: photoCount)
    }

    /// The index in an identifier; nil if this world spells none like this, as with a sign or zeros before the index.
    private func index(in identifier: String, after prefix: String, below count: Int) -> Int? {
        guard identifier.hasPrefix(prefix), let index = Int(identifier.dropFirst(prefix.count)),
            (0..<count).contains(index), identifier == "\(prefix)\(index)"
        else { return nil }
        return index
    }

    private var identifierPrefix: String { "sample-\(String(seed, radix: 16))-" }

    func photographer(at index: Int) -> PhotoOwner {
        let first = SampleWords.firstNames
        let last = SampleWords.lastNames
        let round = index / (first.count * last.count)
        // The last name is 7 steps further for each first name, so that neighbours share neither.
        let name =
            first[index % first.count] + " "
            + last[(index / first.count + index % first.count * 7) % last.count]
        return PhotoOwner(
            identifier: "photographer-\(index)", name: round == 0 ? name : "\(name) \(round + 1)")
    }

    func photo(at index: Int) -> PhotoRecord {
        let place = index % placeCount
        let names = placeNames(at: place)
        let shape = SampleScene.shape(from: pictureGenerator(index))
        var generator = SplitMix64(seed: seed, item: index)
        let coordinate = coordinate(ofPhotoIn: place, using: &generator)
        let uploaded = uploadDate(at: index, using: &generator)
        let (title, caption) = words(for: names.locality ?? "", using: &generator)
        return PhotoRecord(
            identifier: "\(identifierPrefix)\(index)",
            title: title,
            caption: caption,
            owner: photographer(at: generator.below(photographerCount)),
            uploaded: uploaded,
            taken: localDate(uploaded.addingTimeInterval(-86_400 * 30 * generator.unit())),
            coordinate: coordinate,
            placeIdentifier: "place-\(place)",
            placeNames: names,
            license: generator.pick(SampleWords.licenses),
            pageURL: URL(string: "https://example.org/photos/\(index)"),
            variants: SampleSize.allCases.compactMap { $0.variant(ofPhotoAt: index, shape: shape) },
            tags: tags(using: &generator))
    }

    /// The middle of a place; districts lie around their city, each farther out.
    func coordinate(ofPlaceAt index: Int) -> Coordinate {
        let city = city(at: index).coordinate
        let round = index / SampleCities.all.count
        guard round > 0 else { return city }
        return moved(
            city, kilometers: min(40, 3 * Double(round).squareRoot()),
            towards: Double(round) * Self.goldenAngle)
    }

    /// The coordinate of a photo, computed without the rest of the photo.
    func coordinate(ofPhotoAt index: Int) -> Coordinate {
        var generator = SplitMix64(seed: seed, item: index)
        return coordinate(ofPhotoIn: index % placeCount, using: &generator)
    }

    /// The scene of a photo, from random numbers of its own, so that its words do not depend on it.
    func scene(ofPhotoAt index: Int) -> SampleScene {
        let place = index % placeCount
        let latitude = coordinate(ofPlaceAt: place).latitude
        return SampleScene(
            SampleLand(at: latitude, from: SplitMix64(seed: seed &+ 1, item: place)),
            latitude: latitude, month: photo(at: index).taken?.month ?? 6,
            from: pictureGenerator(index))
    }

    private func pictureGenerator(_ index: Int) -> SplitMix64 {
        SplitMix64(seed: ~seed, item: index)
    }

    private func city(at index: Int) -> SampleCities.City {
        SampleCities.all[index % SampleCities.all.count]
    }

    /// The city's name; after the last city, the name of a district of a city.
    private func placeName(at index: Int) -> String {
        let round = index / SampleCities.all.count
        let name = city(at: index).name
        return round == 0 ? name : "District \(round), \(name)"
    }

    /// The parts of the place's name; if there are four, the first two are the locality.
    func placeNames(at index: Int) -> PlaceNames {
        let parts = placeName(at: index).components(separatedBy: ", ")
        let localityLength = max(1, parts.count - 2)
        return PlaceNames(
            locality: parts.prefix(localityLength).joined(separator: ", "),
            region: parts.count > 2 ? parts[parts.count - 2] : nil,
            country: parts.count > 1 ? parts.last : nil)
    }

    private func coordinate(ofPhotoIn place: Int, using generator: inout SplitMix64) -> Coordinate {
        let angle = generator.unit() * 2 * .pi
        let distance = generator.unit().squareRoot() * Self.scatter
        return moved(
            coordinate(ofPlaceAt: place), kilometers: distance, towards: angle)
    }

    /// A point at a distance; no place of this world is near a pole or the antimeridian.
    private func moved(
        _ start: Coordinate, kilometers: Double, towards angle: Double
    ) -> Coordinate {
        let degrees = kilometers / 111.2
        let narrowing = cos(start.latitude * .pi / 180)
        return Coordinate(
            latitude: start.latitude + degrees * cos(angle),
            longitude: start.longitude + degrees * sin(angle) / narrowing)
    }

    /// A date in whole seconds; photos are ever older unless there are more photos than seconds.
    private func uploadDate(at index: Int, using generator: inout SplitMix64) -> Date {
        let step = max(1, Self.span / Double(max(1, photoCount)))
        let age = (Double(index) + generator.unit() * 0.9) * step
        return Date(
            timeIntervalSince1970: (referenceDate.timeIntervalSince1970 - age).rounded(.down))
    }

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private func localDate(_ date: Date) -> LocalDate? {
        let parts = Self.calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: date)
        return LocalDate(
            year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0,
            hour: parts.hour ?? 0, minute: parts.minute ?? 0, second: parts.second ?? 0)
    }

    /// About ten of a hundred photos have only a caption, and four have no words at all.
    private func words(
        for city: String, using generator: inout SplitMix64
    ) -> (title: String, caption: String) {
        let kind = generator.below(100)
        let caption = generator.pick(SampleWords.captions)
        let subject = "\(generator.pick(SampleWords.moods)) \(generator.pick(SampleWords.subjects))"
        let other = generator.pick(SampleWords.otherTitles)
        return switch kind {
        case 0..<4: ("", "")
        case 4..<14: ("", caption)
        case 14..<22: (other, "")
        case 22..<50: (subject, "")
        case 50..<75: ("\(subject), \(city)", caption)
        default: (subject, caption)
        }
    }

    private func tags(using generator: inout SplitMix64) -> [String] {
        var tags: [String] = []
        for _ in 0..<generator.below(5) {
            let tag = generator.pick(SampleWords.tags)
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }
}
