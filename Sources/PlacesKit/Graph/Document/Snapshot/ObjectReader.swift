import PlacesBase

/// Reads objects of one entity into rows of one table.
///
/// It writes nothing that others use, so several may read at a time, each in a chunk of its own, while the
/// transaction rests. What was read is the graph's when the transaction has adopted it.
struct ObjectReader: ~Copyable {
    private let plan: EntityPlan
    private let layout: GraphLayout
    private let transaction: Transaction
    /// Makes the blobs to which the file refers.
    private let blobs: BlobReader?
    private let pools: TextPools
    private var texts: TextPools.Columns
    private var filler: ChunkFiller
    private var links: [SnapshotLink] = []

    typealias Content = (filled: FilledChunk, links: [SnapshotLink])

    /// Reads into the chunk in which a row is.
    init(
        _ plan: consuming EntityPlan, _ row: Row, _ transaction: Transaction,
        _ blobs: BlobReader?, _ pools: TextPools
    ) {
        filler = ChunkFiller(row.chunk, of: plan.table, in: transaction)
        layout = transaction.graph.layout
        texts = pools.take(plan.textCount)
        self.pools = pools
        self.plan = plan
        self.transaction = transaction
        self.blobs = blobs
    }

    deinit {
        filler.trim()
        pools.giveBack(texts)
    }

    /// Takes the links that were read, and what was filled, since this was asked before.
    mutating func take() -> Content {
        defer { links = [] }
        return (filler.take(), links)
    }

    /// Whether a row lies in the chunk that is filled.
    func isInChunk(_ row: Row) -> Bool { row.chunk == filler.chunk }

    /// Goes on in the chunk in which a row is, when all was taken that this one got.
    mutating func goOn(at row: Row) {
        filler.trim()
        filler = ChunkFiller(row.chunk, of: plan.table, in: transaction)
    }

    /// Whether a row of the chunk exists.
    func contains(_ row: Row) -> Bool { filler.contains(row) }

    /// Enters an object and reads its number.
    func readNumber(from json: inout (some SnapshotInput & ~Copyable)) throws -> Int64 {
        try json.beginObject(withKeys: plan.keys)
        return try json.readObjectNumber()
    }

    /// Reads the rest of an object into a row of the chunk.
    mutating func readProperties(
        of row: Row, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        makePresent(row)
        while let key = try json.nextKey(in: plan.keys) {
            guard case .known(let index) = key, index > 0,
                case let step = plan.steps[index - 1], step.kind != .unknown
            else {
                throw json.expected("the name of a property that is listed above")
            }
            switch step.kind {
            case .link, .links: try readLinks(step, row, from: &json)
            case .derived: try json.skipValue()
            default: try readValue(step, row, from: &json)
            }
        }
        for slot in plan.requiredSlots where !filler.isValid(row, slot) {
            let name = layout.tables[plan.table].properties[slot].name
            throw json.expected("a value of \(name), which is required")
        }
    }

    @inline(__always)
    private mutating func makePresent(_ row: Row) {
        if row.index & 0xFF == 0 { Platform.growHeap() }
        filler.makePresent(row)
        if let column = plan.kindColumn {
            filler.load(plan.kind, row, column)
            for (slot, value) in layout.tables[plan.table].defaults[Int(plan.kind)] {
                filler.load(value, row, slot)
            }
        }
        // The default may have come after the file, in which what is left out has no value.
        for slot in plan.nullableSlots { filler.load(.null, row, slot) }
    }

    @inline(__always)
    private mutating func readValue(
        _ step: EntityPlan.Step, _ row: Row, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let slot = step.slot
        guard step.kind != .other else { return try readOther(step, row, from: &json) }
        if try json.readNullIfPresent(isOptional: step.isOptional) {
            return filler.load(.null, row, slot)
        }
        switch step.kind {
        case .boolean: filler.load(try json.readBool(), row, slot)
        case .integer: filler.load(try json.readInt64(), row, slot)
        case .float: filler.load(try json.readFloat(), row, slot)
        case .double: filler.load(try json.readDouble(), row, slot)
        case .date: filler.load(try json.readDate(), row, slot)
        case .string, .url: try readText(step, row, from: &json)
        case .link, .links, .derived, .unknown, .other: break
        }
    }

    /// Reads a text: the string of one that came before, or its UTF-8 alone.
    @inline(__always)
    private mutating func readText(
        _ step: EntityPlan.Step, _ row: Row, from json: inout (some SnapshotInput & ~Copyable)
    ) throws(JSONError) {
        let (isURL, position, slot) = (step.kind == .url, step.position, step.slot)
        try json.readText { text in
            switch text {
            case .string(let text): filler.load(isURL ? text.spelledAsURL : text, row, slot)
            case .utf8(let utf8) where isURL && !utf8.isSpelledAsURL:
                filler.load(String(decoding: utf8, as: UTF8.self).spelledAsURL, row, slot)
            case .utf8(let utf8):
                if let text = texts[position].text(utf8) {
                    filler.load(text, row, slot)
                } else {
                    filler.load(text: utf8, row, slot)
                }
            }
        }
    }

    /// Reads a value by way of one without type.
    private mutating func readOther(
        _ step: EntityPlan.Step, _ row: Row, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let (attribute, check) = (plan.attributes[step.position], plan.checks[step.position])
        guard attribute.type == .data else {
            return filler.load(try json.readValue(of: attribute, check), row, step.slot)
        }
        switch try BlobReader.read(attribute, check, by: blobs, from: &json) {
        case .blob(let blob): filler.load(blob, row, step.slot)
        case .value(let value):
            if value == attribute.defaultValue, let blob = plan.defaults[step.position] {
                filler.load(blob, row, step.slot)
            } else {
                filler.load(value, row, step.slot)
            }
        }
    }

    @inline(__always)
    private mutating func readLinks(
        _ step: EntityPlan.Step, _ row: Row, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        guard step.kind == .links else { return try readLink(step, row, from: &json) }
        try json.beginArray()
        while try json.nextElement() { try readLink(step, row, from: &json) }
    }

    private mutating func readLink(
        _ step: EntityPlan.Step, _ row: Row, from json: inout (some SnapshotInput & ~Copyable)
    ) throws {
        let target = try json.readInt64()
        links.append(
            SnapshotLink(
                table: plan.table, row: row, slot: step.slot, target: target,
                offset: json.offset))
    }
}
