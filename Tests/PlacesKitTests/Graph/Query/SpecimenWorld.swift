import Foundation
import PlacesKit

/// Random specimens with every value that is hard to query, saved ones and pending ones.
struct SpecimenWorld {
    static let texts = [
        "", "plain", "Plain", "caf\u{e9}", "cafe\u{301}", "\u{e9}", "e", "zebra", "Zebra", "ß",
        "ss",
        "a\r\nb", "\n", "\u{212a}", "K", "k", "👩‍👩‍👧", "👩", "10", "9", "\u{301}", "plain text",
        "a rather long text that is stored out of line", "a rather long text, another one",
    ]
    static let integers = [Int.min, Int.min + 1, -3, -1, 0, 1, 2, 3, 7, 40, Int.max - 1, Int.max]
    static let smalls = [Int16.min, -3, -1, 0, 1, 2, 500, .max]
    static let doubles = [
        -Double.infinity, -.greatestFiniteMagnitude, -2.5, -0.0, 0.0, .leastNonzeroMagnitude, 0.5,
        1, 1.5, 9_007_199_254_740_992, .greatestFiniteMagnitude, .infinity, .nan,
    ]
    static let floats = doubles.map { Float($0) }
    static let bigs = [0, 1, 12, UInt64(Int64.max), UInt64(Int64.max) + 1, .max - 1, .max]
    static let decimals =
        ["0", "2.5", "-2.5", "0.1", "1e40", "-1e-30", "12345678901234567890.12"]
        .compactMap { Decimal(string: $0) } + [.nan]
    static let dates = [-1e12, -1, 0, 0.25, 1_000, 800_000_000.125, .infinity, -.infinity].map {
        Date(timeIntervalSinceReferenceDate: $0)
    }
    static let uuids = (UInt8(0)..<5).map {
        UUID(uuid: ($0 &* 63, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, $0))
    }
    static let urls = [
        URL(filePath: "/"), URL(string: "https://example.org/a"),
        URL(string: "https://example.org/b?c=%C3%A9"), URL(string: "relative/path"),
    ].compactMap(\.self)
    static let bytes = [Data(), Data([0]), Data([0, 255, 3]), Data(repeating: 9, count: 300)]

    let store: GraphStore
    let context: ManagedObjectContext
    var random: SplitMix64
    private(set) var rooms: [Room] = []
    private(set) var shelves: [Shelf] = []
    private(set) var tags: [Tag] = []
    /// Its specimens, which nobody saves, have the first rows, so that those of the world lie in two chunks.
    private let elsewhere: ManagedObjectContext
    /// The number of the next specimen that a change makes.
    private var nextNumber = 2_000_000

    /// Saves `saved` specimens and leaves many changes pending.
    init(seed: UInt64, saved: Int = 200) throws {
        store = try GraphStore(
            model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self])
        context = ManagedObjectContext(store)
        random = SplitMix64(seed: RunSeed.mixed(seed))
        elsewhere = ManagedObjectContext(store)
        try elsewhere.insert(Specimen.self, from: 0..<934) { _, _ in }
        makeSurroundings()
        var specimens: [Specimen] = []
        for number in 0..<saved { specimens.append(makeSpecimen(number, among: specimens)) }
        for specimen in specimens where random.below(9) == 0 { context.delete(specimen) }
        try context.save()
        changeSome(of: specimens.filter { !$0.isDeleted })
    }

    /// All specimens, in the order of their insertion.
    var specimens: [Specimen] {
        get throws { Array(try context.fetch(Specimen.self)) }
    }

    private mutating func makeSurroundings() {
        for number in 0..<4 {
            let room = Room(context: context)
            room.name = random.pick(Self.texts)
            room.area = number == 0 ? nil : random.pick(Self.doubles)
            room.isOpen = number % 2 == 0
            rooms.append(room)
        }
        for number in 0..<9 {
            let shelf = Shelf(context: context)
            shelf.name = number < 2 ? "plain" : random.pick(Self.texts)
            shelf.height = number % 3 == 0 ? nil : random.pick(Self.integers)
            shelf.room = number % 4 == 0 ? nil : random.pick(rooms)
            shelves.append(shelf)
        }
        for number in 0..<6 {
            let tag = Tag(context: context)
            tag.name = "tag \(number)"
            tag.weight = number % 3
            tags.append(tag)
        }
    }

    private mutating func makeSpecimen(_ number: Int, among others: [Specimen]) -> Specimen {
        let specimen = Specimen(context: context)
        specimen.code = "S\(number)"
        specimen.number = random.maybe([number])
        vary(specimen)
        specimen.uuid = random.pick(Self.uuids)
        specimen.url = random.pick(Self.urls)
        specimen.mood = random.pick(Mood.allCases)
        specimen.data = random.pick(Self.bytes)
        specimen.shelf = random.maybe(shelves)
        specimen.origin = random.maybe(rooms)
        for tag in tags where random.below(5) == 0 { specimen.tags.insert(tag) }
        if !others.isEmpty { specimen.parent = random.maybe(others) }
        if random.below(3) == 0 {
            let label = Label(context: context)
            label.text = random.maybe(Self.texts)
            specimen.label = label
        }
        return specimen
    }

    private mutating func vary(_ specimen: Specimen) {
        specimen.flag = random.below(2) == 0
        specimen.maybeFlag = random.maybe([true, false])
        specimen.integer = random.pick(Self.integers)
        specimen.maybeInteger = random.maybe(Self.integers)
        specimen.small = random.pick(Self.smalls)
        specimen.maybeSmall = random.maybe(Self.smalls)
        specimen.double = random.pick(Self.doubles)
        specimen.maybeDouble = random.maybe(Self.doubles)
        specimen.float = random.pick(Self.floats)
        specimen.maybeFloat = random.maybe(Self.floats)
        specimen.big = random.pick(Self.bigs)
        specimen.maybeBig = random.maybe(Self.bigs.map { UInt($0) })
        specimen.decimal = random.pick(Self.decimals)
        specimen.maybeDecimal = random.maybe(Self.decimals)
        specimen.traits = Traits(rawValue: UInt8(random.below(3)))
        specimen.text = random.pick(Self.texts)
        specimen.maybeText = random.maybe(Self.texts)
        specimen.date = random.pick(Self.dates)
        specimen.maybeDate = random.maybe(Self.dates)
        specimen.maybeUUID = random.maybe(Self.uuids)
        specimen.maybeURL = random.maybe(Self.urls)
        specimen.maybeMood = random.maybe(Mood.allCases)
        specimen.maybeData = random.maybe(Self.bytes)
    }

    /// Changes something, mostly a specimen.
    mutating func change() throws {
        let specimens = try specimens
        let specimen = random.pick(specimens)
        switch random.below(16) {
        case 0: context.delete(specimen)
        case 1:
            _ = makeSpecimen(nextNumber, among: specimens)
            nextNumber += 1
        case 2...4: specimen.shelf = random.maybe(shelves)
        case 5: random.pick(shelves).name = random.pick(Self.texts)
        case 6: random.pick(shelves).room = random.maybe(rooms)
        case 7: random.pick(rooms).name = random.pick(Self.texts)
        case 8: random.pick(rooms).isOpen.toggle()
        case 9: random.pick(rooms).area = random.maybe(Self.doubles)
        case 10: specimen.tags.insert(random.pick(tags))
        case 11: specimen.tags.remove(random.pick(tags))
        case 12: specimen.mood = random.pick(Mood.allCases)
        default: vary(specimen)
        }
    }

    /// Leaves changes of every kind unsaved: among them objects that cannot be saved as they are.
    private mutating func changeSome(of specimens: [Specimen]) {
        for specimen in specimens {
            switch random.below(12) {
            case 0: context.delete(specimen)
            case 1: vary(specimen)
            case 2: specimen.shelf = random.maybe(shelves)
            case 3: specimen.tags.remove(random.pick(tags))
            default: break
            }
        }
        let kept = specimens.filter { !$0.isDeleted }
        for number in 0..<60 { _ = makeSpecimen(1_000_000 + number, among: kept) }
        // Required attributes that nobody wrote, and values that others have already.
        for number in 0..<5 {
            let specimen = Specimen(context: context)
            if number > 2 { specimen.code = kept[number].code }
            specimen.number = kept[number + 10].number
        }
        // Links that lead to a deleted object: the rule is `deny`, so the delete waits for a save.
        context.delete(rooms[1])
        context.delete(shelves[8])
    }
}

extension SplitMix64 {
    /// One of the elements of an array that has some, or nothing.
    mutating func maybe<Element>(_ elements: [Element]) -> Element? {
        below(4) == 0 ? nil : pick(elements)
    }
}
