import PlacesBase

/// Which objects of waiting commits get other numbers when these are read, for others have those that they were given.
///
/// All of them are in a part of a folder's former range. They come to the same place in a part of the next one, and the
/// commits that wait get identifiers in it: the same ones each time, for the log may get them before their file is written
/// anew.
struct RenumberedObjects: Sendable {
    /// Where the objects of a part come to, with what tells that from all openings.
    private var places: [(part: Int64, identity: Int64?)] = []

    init() {}

    var isEmpty: Bool { places.isEmpty }

    /// The parts whose objects have no place yet.
    var unplaced: [Int64] { places.filter { $0.identity == nil }.map(\.part) }

    /// Lets the objects of a part move.
    mutating func add(_ part: Int64) {
        if !places.contains(where: { $0.part == part }) { places.append((part, nil)) }
    }

    /// Lets the objects of a part come to another one.
    mutating func place(_ part: Int64, in identity: Int64) {
        for index in places.indices where places[index].part == part {
            places[index].identity = identity
        }
    }

    /// Whether an opening used a part whose objects move.
    func concern(_ opening: Int64) -> Bool {
        places.contains { $0.part == SharingMembership.part(of: opening) }
    }

    /// Whether an opening was made when objects had come to their places: its commits call them so, and keep their
    /// identifiers.
    func areKnown(to opening: Int64) -> Bool {
        places.contains { $0.identity.map { $0 <= opening } ?? false }
    }

    /// Those of the range that an opening had.
    func inRange(of opening: Int64) -> RenumberedObjects {
        let range = SharingMembership.range(of: opening)
        var some = self
        some.places.removeAll { SharingMembership.range(ofPart: $0.part) != range }
        return some
    }

    /// The number of an object that had a number.
    func number(_ former: Int64) -> Int64 {
        guard !places.isEmpty,
            let identity = places.first(where: {
                $0.part == SharingMembership.part(of: former)
            })?.identity
        else { return former }
        return SharingMembership.number(former, inPartOf: identity)
    }

    /// The identifier of a commit, one of those that wait.
    func id(ofWaiting position: Int) -> SharedCommit.ID? {
        places.last?.identity.map {
            SharedCommit.ID(opening: $0, sequence: Int64(position + 1))
        }
    }

    // MARK: - Files

    /// Reads what was written.
    init(from json: inout JSONReader) throws {
        try json.beginArray()
        while try json.nextElement() {
            try json.beginArray()
            var numbers: [Int64] = []
            while try json.nextElement() { numbers.append(try json.readInt64()) }
            guard let part = numbers.first, numbers.count <= 2 else {
                throw json.failure(.invalidValue(expected: "a part, and where it comes to"))
            }
            places.append((part, numbers.count == 2 ? numbers[1] : nil))
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for place in places {
            writer.beginArray()
            writer.write(place.part)
            if let identity = place.identity { writer.write(identity) }
            writer.endArray()
        }
        writer.endArray()
    }
}
