import PlacesBase

/// Which numbers a folder gives to the objects that are made in it, so that nobody else does.
///
/// A log gives each folder a range of numbers. Each time that the document is opened, it begins a part of the range that
/// it did not use before: the rows of objects are never counted twice.
///
/// Two processes may begin the same part if the folder is a copy, or was restored from a backup. Each opening is told from
/// all others by something at random, too, so it is known when the log has commits of the other one. Who finds that has
/// none there, for nobody adds commits before having all of the log's. It shares nothing more; whoever opens the folder next
/// has another range, and objects that wait for the log move to a part of that (`RenumberedObjects`).
struct SharingMembership {
    static let fileName = "sharing.json"
    /// How many rows a table may have, and so how many numbers belong to one opening.
    private static let rowBits = 31
    /// How many times a document is opened before it needs another range.
    private static let openingBits = 12
    /// From which opening on the next range is claimed when the log is in reach, so that the document can be opened
    /// without it.
    private static let lateOpening = 3 << (openingBits - 2)
    /// How many ranges there are.
    private static let rangeBits = 63 - rowBits - openingBits

    private static let latestVersion: Int64 = 2
    /// Who knows only the first one would not let objects move.
    private var version: Int64 { renumbered.isEmpty ? 1 : Self.latestVersion }
    private enum Key: String, FileKey {
        case version = "placeskit"
        case range, openings, joining, renumbered
    }
    private static let keys = FileKeys<Key>()

    /// The number that the log gave.
    var range: Int
    /// How often the document was opened with it.
    var openings = 0
    /// The number of the last commit that the document had by itself, while what it holds becomes the log's first one.
    var joining: Int?
    /// Which objects move, for others have their numbers.
    private(set) var renumbered = RenumberedObjects()

    init(range: Int) { self.range = range }

    /// Whether all parts of the range were used.
    var isUsedUp: Bool { openings >= 1 << Self.openingBits }

    /// Whether an opening is one of the last ones of its range.
    static func isLate(_ opening: Int64) -> Bool {
        part(of: opening) & (1 << Int64(openingBits) - 1) >= Int64(lateOpening)
    }

    /// Lets whoever opens the document next begin a range that the log has given, if an opening has the one of the folder.
    static func goOn(
        in range: Int, after opening: Int64, _ directory: DocumentDirectory
    ) throws {
        guard var membership = try read(directory.path, directory.files),
            membership.range == self.range(of: opening)
        else { return }
        (membership.range, membership.openings) = (range, 0)
        if !membership.isBeyondAll { try membership.write(in: directory) }
    }

    /// Whether a log has given more ranges than there are.
    var isBeyondAll: Bool { !(1..<1 << Self.rangeBits).contains(range) }

    /// The first number of the part that the latest opening uses.
    var opening: Int64 {
        Int64(range) << Int64(Self.rowBits + Self.openingBits)
            | Int64(openings - 1) << Int64(Self.rowBits)
    }

    /// What tells the latest opening from all others: its first number, and something at random in the bits of a row.
    func makeIdentity() -> Int64 { opening | Int64.random(in: 0..<1 << Int64(Self.rowBits)) }

    /// Which part of all numbers one belongs to.
    static func part(of number: Int64) -> Int64 { number >> Int64(rowBits) }

    /// The number at the same place of the part of an opening.
    static func number(_ number: Int64, inPartOf opening: Int64) -> Int64 {
        part(of: opening) << Int64(rowBits) | number & (1 << Int64(rowBits) - 1)
    }

    /// Whether no number that an object has can be one that a log gives out.
    static func allRanges(comeAfter graph: Graph) -> Bool {
        let first = Int64(1) << Int64(rowBits + openingBits)
        return graph.layout.entityTables.allSatisfy { table in
            graph.rows(in: table).rows.allSatisfy { graph.number(of: $0, in: table) < first }
        }
    }

    /// The range to which a number belongs that an opening uses.
    static func range(of opening: Int64) -> Int { range(ofPart: part(of: opening)) }

    /// The range of a part.
    static func range(ofPart part: Int64) -> Int { Int(part >> Int64(openingBits)) }

    /// Reads what a folder was given; `nil` where nothing was, also if others have a file of the same name.
    static func read(
        _ folder: FilePath, _ files: any FileSystem
    ) throws -> SharingMembership? {
        let path = folder.appending(fileName)
        guard try files.exists(path) else { return nil }
        // Somebody else's may be of any length.
        let start = try files.read(path, prefix: DocumentFile.prefixCount)
        guard DocumentFile.membership.isLike(start) else { return nil }
        return try DocumentError.naming(path.description) {
            try SharingMembership(files.read(path))
        }
    }

    /// Begins a part of the range, which is on disk as one that is used before it is.
    static func begin(
        _ known: SharingMembership?, in directory: DocumentDirectory, claimed range: Int?,
        joiningAfter joining: Int? = nil
    ) throws -> SharingMembership {
        var membership = known
        let path = directory.path.appending(fileName)
        guard try membership != nil || !directory.files.exists(path) else {
            throw DocumentError.notADocument(path: path.description)
        }
        if membership?.isUsedUp ?? true { membership = range.map(SharingMembership.init(range:)) }
        guard var membership, !membership.isBeyondAll else {
            throw DocumentError.incomplete(file: path.description)
        }
        membership.renumbered = known?.renumbered ?? RenumberedObjects()
        membership.giveParts()
        membership.openings += 1
        membership.joining = joining ?? known?.joining
        try membership.write(in: directory)
        return membership
    }

    /// Gives parts of the range to the objects that move and have none yet.
    private mutating func giveParts() {
        for part in renumbered.unplaced {
            openings += 1
            renumbered.place(part, in: makeIdentity())
        }
    }

    /// Notes that others have numbers of the folder, so whoever opens it next has another range.
    ///
    /// - Parameters:
    ///   - parts: The parts of which others have numbers, and nobody has any of this folder.
    ///   - directory: The folder.
    /// - Throws: `DocumentError`, or `FileSystemError`.
    static func noteOthers(
        withNumbersIn parts: Set<Int64>, in directory: DocumentDirectory
    ) throws {
        guard var membership = try read(directory.path, directory.files) else { return }
        let known = membership.bytes
        membership.openings = 1 << openingBits
        for part in parts.sorted() { membership.renumbered.add(part) }
        if membership.bytes != known { try membership.write(in: directory) }
    }

    /// Brings it to disk.
    func write(in directory: DocumentDirectory) throws {
        try directory.files.replaceFile(
            at: directory.path.appending(Self.fileName), like: directory.access.file, with: bytes)
    }

    /// Reads what a folder was given.
    init(_ bytes: [UInt8]) throws {
        self = try JSONReader.read(bytes) { json in
            var (range, openings, joining) = (Int64?.none, Int64?.none, Int64?.none)
            var renumbered = RenumberedObjects()
            try json.beginObject()
            while let key = try json.nextKey(in: Self.keys) {
                switch key {
                case .version: _ = try json.readFormatVersion(upTo: Self.latestVersion)
                case .range: range = try json.readInt64()
                case .openings: openings = try json.readInt64()
                case .joining: joining = try json.readInt64()
                case .renumbered: renumbered = try RenumberedObjects(from: &json)
                }
            }
            guard let range, let openings, (1..<1 << Int64(Self.rangeBits)).contains(range),
                (0...1 << Int64(Self.openingBits)).contains(openings)
            else {
                throw json.failure(.invalidValue(expected: #"a "range" and its "openings""#))
            }
            var membership = SharingMembership(range: Int(range))
            membership.openings = Int(openings)
            membership.joining = joining.map(Int.init(clamping:))
            membership.renumbered = renumbered
            return membership
        }
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(version, for: Key.version)
        writer.write(Int64(range), for: Key.range)
        writer.write(Int64(openings), for: Key.openings)
        if let joining {
            writer.write(Int64(joining), for: Key.joining)
        }
        if !renumbered.isEmpty {
            writer.writeKey(Key.renumbered)
            renumbered.write(to: &writer)
        }
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}
