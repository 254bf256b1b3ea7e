import Foundation

/// The data every contestant stores and the questions every contestant answers.
struct World {
    let places: [PlaceSample]
    let photos: [PhotoSample]

    /// The ids that `lookup-unique` asks for; each is some photo's.
    let lookedUpIDs: [String]
    /// The ids that `contains-many` asks for: every other is some photo's.
    var askedIDs: [String] { lookedUpIDs.flatMap { [$0, $0 + "?"] } }
    /// The bounds of `scan-count`: about 1, 10, 50 and 90 of 100 photos have more views.
    let viewBounds = [99_000, 90_000, 50_000, 10_000]
    /// The names `scan-string` counts the photos of.
    let photographers: [String]
    /// The beginnings of place names that `join-sort-limit` asks for.
    let namePrefixes: [String]
    /// The texts that `scan-contains` looks for in titles; no photo has the last.
    let searchedTexts = ["CAFE", "zürich", "lighthouse", "submarine"]
    /// What `search` asks for, word by word as it is typed; no photo has the sixth.
    let searches = [
        ["caf"], ["lighth"], ["zur", "snow"], ["HAR", "ligh", "riv"], ["old", "town"], ["submar"],
        ["panor", "fjo", "arch"], ["über", "nig"],
    ]
    /// The weeks from which `index-range-limit` takes the first photos.
    let spans = (0..<100).map { number in
        let start = Date(timeIntervalSinceReferenceDate: 3_000_000 * Double(number))
        return start..<start.addingTimeInterval(604_800)
    }
    /// The photographer whom `live-groups` gives photos to; nobody has that name before.
    static let newcomer = "Nova Neumann"
    /// The photos that `live-groups` gives another photographer, by their positions.
    var creditedPhotos: [Int] { movedPhotos.prefix(20).map(\.self) }
    /// The weeks of which `scan-recent` counts the photos.
    var countedSpans: ArraySlice<Range<Date>> { spans.suffix(4) }
    /// How many photos or places a ranking is cut to.
    let limit = 50
}
