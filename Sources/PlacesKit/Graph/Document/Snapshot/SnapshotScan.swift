import PlacesBase

/// What can be read of a damaged snapshot in JSON whose schema is known.
///
/// Each object is a line of its own, unless somebody has formatted the file otherwise. Which entity it is of follows from
/// the lines around: the objects of an entity come after its name, those of the next one in the schema after a bracket.
/// One of the two is enough. Where both are damaged, the objects behind are most likely of the entity before the next name.
struct SnapshotScan: ~Copyable {
    /// An object, and where it stands in the file.
    struct Object {
        let entity: Int
        let number: Int64
        let range: Range<Int>
    }

    /// What of a line stands where objects should be, and why it cannot be read.
    typealias Loss = (error: JSONError, range: Range<Int>)

    let schema: Schema
    /// The objects, in the order of the file; no two have one number.
    private(set) var objects: [Object] = []
    var losses: [Loss] = []
    /// Where it stands from which number on new objects have theirs.
    var nextNumbers: Int?
    /// The numbers of each table's objects.
    private var numbers: [TableNumber: Set<Int64>] = [:]
    private let layout: GraphLayout
    private var trial: ObjectTrial

    /// A line, or a part of one.
    private struct Piece {
        let line: Int
        /// Where the line begins.
        let lineStart: Int
        var range: Range<Int>
        /// Whether something else than ends of lines stands before it.
        let isAfterDamage: Bool
    }

    init(of bytes: [UInt8], schema: Schema, blobs: BlobReader) {
        self.schema = schema
        trial = ObjectTrial(schema, blobs)
        layout = trial.layout
        bytes.withUnsafeBytes { Self.isReformatted($0) ? scanBrackets($0) : scan($0) }
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) {
        var pieces = Self.pieces(of: bytes)
        let titles = schema.entities.map { Array("\"\($0.name)\":[".utf8) }
        // Before the first title there is the schema, and at the end there might be one more.
        var heads = [(entity: -1, position: 0)]
        for position in pieces.indices {
            let text = bytes[pieces[position].range]
            guard text.first == UInt8(ascii: "\"") || text.last == UInt8(ascii: "[") else {
                continue
            }
            if let entity = titles.firstIndex(where: { text.starts(with: $0) }) {
                // An object follows in the line if the end of that is damaged.
                let start = min(text.startIndex + titles[entity].count + 1, text.endIndex)
                pieces[position].range = start..<text.endIndex
                heads.append((entity, position))
            } else if let entity = titles.firstIndex(where: {
                text.suffix($0.count).elementsEqual($0)
            }) {
                pieces[position].range = text.endIndex..<text.endIndex
                heads.append((entity, position))
            }
        }
        // In a file that is cut off, it is not known which objects come last.
        let isWhole = pieces.last.map { bytes[$0.range].first == UInt8(ascii: "}") } ?? false
        heads.append((titles.count, pieces.count))
        for (head, next) in zip(heads, heads.dropFirst()) {
            var entity = head.entity
            let last = max(entity, next.entity - 1)
            let isEndKnown = isWhole || next.position < pieces.count
            var isAfterLoss = false
            for piece in pieces[head.position..<next.position] {
                let text = bytes[piece.range]
                isAfterLoss = isEndKnown && (isAfterLoss || piece.isAfterDamage)
                if text.first == UInt8(ascii: "]"), !piece.isAfterDamage {
                    (entity, isAfterLoss) = (min(entity + 1, last), false)
                } else if text.starts(with: Self.nextNumbersKey) {
                    nextNumbers = text.startIndex + Self.nextNumbersKey.count
                } else if text.contains(UInt8(ascii: "\"")) {
                    let candidates = Array(max(entity, 0)..<last + 1)
                    let found = readObjects(
                        in: piece, of: isAfterLoss ? candidates.reversed() : candidates,
                        isTold: entity >= 0, bytes)
                    if let found { entity = found } else { isAfterLoss = isEndKnown }
                }
            }
        }
    }

    private static let nextNumbersKey = Array(
        "\"\(SnapshotKeys.Header.nextNumbers.rawValue)\":".utf8)

    /// The parts between control characters, which stand in no object: ends of lines, and what a disk makes of bytes.
    private static func pieces(of bytes: UnsafeRawBufferPointer) -> [Piece] {
        var pieces: [Piece] = []
        var (line, lineStart, start, isAfterDamage) = (1, 0, 0, false)
        for end in 0...bytes.count
        where end == bytes.count || bytes[end] < 0x20 && bytes[end] != UInt8(ascii: "\t") {
            let text = bytes[start..<end].drop { $0 <= 0x20 }
            if !text.isEmpty {
                pieces.append(
                    Piece(
                        line: line, lineStart: lineStart, range: text.startIndex..<end,
                        isAfterDamage: isAfterDamage))
                isAfterDamage = false
            }
            start = end + 1
            guard end < bytes.count else { break }
            if bytes[end] == UInt8(ascii: "\n") {
                (line, lineStart) = (line + 1, start)
            } else if bytes[end] != UInt8(ascii: "\r") {
                isAfterDamage = true
            }
        }
        return pieces
    }

    /// Reads the object of a line, or several where the ends of lines are damaged, as one of the first entity that it fits.
    ///
    /// - Returns: The entity; `nil` if there is something that fits none.
    private mutating func readObjects(
        in piece: Piece, of candidates: [Int], isTold: Bool, _ bytes: UnsafeRawBufferPointer
    ) -> Int? {
        var (rest, found) = (piece.range, Int?.none)
        while bytes[rest].contains(UInt8(ascii: "\"")) {
            var (end, failure) = (Int?.none, JSONError?.none)
            for entity in candidates where end == nil {
                do {
                    end = try readObject(of: entity, in: rest, bytes)
                    found = entity
                } catch {
                    failure = failure ?? error as? JSONError
                }
            }
            guard let end else {
                guard isTold, let failure else { return nil }
                if let loss = losses.last, loss.error.line == piece.line {
                    losses[losses.count - 1].range = loss.range.lowerBound..<rest.upperBound
                    return nil
                }
                // Columns are those of Unicode scalars.
                let before = bytes[piece.lineStart..<rest.lowerBound].count { $0 & 0xC0 != 0x80 }
                let error = JSONError(
                    kind: failure.kind, line: piece.line, column: before + failure.column,
                    byteOffset: rest.lowerBound + failure.byteOffset)
                losses.append((error, rest))
                return nil
            }
            rest = min(end + Self.gap, rest.upperBound)..<rest.upperBound
        }
        return found
    }

    /// How far the next object is from the end of one, between which there are a comma and the end of the line.
    private static let gap = 2

    /// Reads an object of an entity, and returns where it ends.
    mutating func readObject(
        of entity: Int, in range: Range<Int>, _ bytes: UnsafeRawBufferPointer,
        endsLine: Bool = true
    ) throws -> Int {
        var json = JSONReader(UnsafeRawBufferPointer(rebasing: bytes[range]))
        let number = try trial.readObject(of: entity, from: &json)
        let end = range.lowerBound + json.offset
        // What goes on behind the comma in another way is the rest of this object, which a damaged byte has ended too early.
        let rest = bytes[end..<range.upperBound]
        guard
            !endsLine || rest.dropFirst(Self.gap).first == UInt8(ascii: "{")
                || !rest.dropFirst().contains(where: { #""}"#.utf8.contains($0) })
        else { throw json.failure(.trailingBytes) }
        guard numbers[layout.entities[entity].table, default: []].insert(number).inserted else {
            throw json.expected("a number that no other object of the entity has")
        }
        objects.append(Object(entity: entity, number: number, range: range.lowerBound..<end))
        return end
    }
}

/// Reads objects to see whether that can be done; nobody gets them.
private struct ObjectTrial: ~Copyable {
    private let snapshot: SnapshotReader
    private var reader: ObjectReader
    private var entity = 0
    private var row = Row(0)

    var layout: GraphLayout { snapshot.layout }

    init(_ schema: Schema, _ blobs: BlobReader) {
        var snapshot = SnapshotReader(schema)
        snapshot.useOwnNames()
        snapshot.blobs = blobs
        self.snapshot = snapshot
        reader = snapshot.objectReader(of: entity, at: row, blobs, TextPools())
    }

    /// Reads an object of an entity and returns its number.
    mutating func readObject(of entity: Int, from json: inout JSONReader) throws -> Int64 {
        // What is read of an object stays in its row, so each gets another one.
        if entity != self.entity || row.index == ChunkLayout.rows {
            (self.entity, row) = (entity, Row(0))
            reader = snapshot.objectReader(of: entity, at: row, snapshot.blobs, TextPools())
        }
        defer { row = row.advanced(by: 1) }
        let number = try reader.readNumber(from: &json)
        try reader.readProperties(of: row, from: &json)
        return number
    }
}
