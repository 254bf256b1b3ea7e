import Foundation

/// One column of a table: a sparse, persistent array of values in chunks.
///
/// Two levels of directory keep the cost of the first write after a snapshot small: it copies one
/// chunk, one node of 32 chunks and the array of nodes, whatever the column's length. Chunks that
/// nobody wrote are one shared chunk of defaults.
///
/// Sendable, because the blank chunk behind the stored address is never written.
struct Column: @unchecked Sendable {
    /// The physical type of the elements.
    let kind: ColumnKind
    /// The chunk that stands for every chunk never written, and its block.
    private let blank: Chunk
    private let blankBlock: UnsafeMutableRawPointer
    private var nodes: ContiguousArray<NodeReference> = []

    /// A column whose rows all hold `datum`, valid or not.
    init(_ kind: ColumnKind, repeating datum: Datum = .null, isValid: Bool = false) {
        self.kind = kind
        blank = Chunk(kind: kind, repeating: datum, isValid: isValid)
        blankBlock = blank.block
    }

    /// A column for an attribute, whose unwritten rows hold the attribute's default.
    ///
    /// Without a default they hold no value, and read as what the type has for that.
    init(for attribute: AttributeDescription) {
        self.init(
            attribute.columnKind,
            repeating: attribute.defaultValue ?? attribute.blank,
            isValid: attribute.defaultValue ?? .null != .null)
    }

    /// The block of the chunk of the given number.
    ///
    /// It lives as long as this value, or until the transaction that owns it replaces it.
    @inline(__always)
    func block(_ chunk: Int) -> UnsafeMutableRawPointer {
        let node = chunk >> ChunkNode.shift
        guard node < nodes.count, let blocks = nodes[node].blocks else { return blankBlock }
        return blocks[chunk & ChunkNode.mask]
    }

    /// What queries keep beside the chunk of the given number.
    func companions(_ chunk: Int) -> ChunkCompanions? {
        let node = chunk >> ChunkNode.shift
        guard node < nodes.count, let chunks = nodes[node].node?.chunks,
            let owned = chunks[chunk & ChunkNode.mask]
        else { return blank.companions }
        return owned.companions
    }

    /// The chunk of the given number, unless it is one that the transaction of `writer` still writes.
    func settledChunk(_ chunk: Int, writer: UInt64) -> Chunk? {
        let node = chunk >> ChunkNode.shift
        guard node < nodes.count, let chunks = nodes[node].node?.chunks,
            let owned = chunks[chunk & ChunkNode.mask]
        else { return blank }
        return Transaction.mayWrite(owned.block, token: writer) ? nil : owned
    }

    /// The way to read the column while it neither changes nor goes.
    var reader: ColumnReader {
        ColumnReader(
            nodes: nodes.withUnsafeBufferPointer { $0.baseAddress }, count: nodes.count,
            blank: blankBlock)
    }

    /// The block of the chunk of the given number, made writable for the transaction of `token`.
    @inline(__always)
    mutating func writableBlock(_ chunk: Int, token: UInt64) -> UnsafeMutableRawPointer {
        let block = block(chunk)
        return block.chunkOwner == token ? block : ownedBlock(chunk, token: token)
    }

    /// Calls `body` with the numbers of the chunks that are not also those of `other`.
    ///
    /// Where both columns share a directory of 32 chunks it is skipped as a whole.
    func forEachChunk(differingFrom other: Column, _ body: (Int) -> Void) {
        for index in 0..<Swift.max(nodes.count, other.nodes.count) {
            let node = index < nodes.count ? nodes[index].node : nil
            let otherNode = index < other.nodes.count ? other.nodes[index].node : nil
            guard node !== otherNode else { continue }
            let first = index << ChunkNode.shift
            for chunk in first...first | ChunkNode.mask where block(chunk) != other.block(chunk) {
                body(chunk)
            }
        }
    }

    private mutating func ownedBlock(_ chunk: Int, token: UInt64) -> UnsafeMutableRawPointer {
        let copy = Chunk(owner: token, copying: self.chunk(chunk))
        put(copy, at: chunk, token: token)
        return copy.block
    }

    /// The chunk of the given number.
    func chunk(_ chunk: Int) -> Chunk {
        let node = chunk >> ChunkNode.shift
        guard node < nodes.count, let chunks = nodes[node].node?.chunks else { return blank }
        return chunks[chunk & ChunkNode.mask] ?? blank
    }

    /// Replaces the chunk of the given number, for the transaction of `token`.
    mutating func put(_ new: Chunk, at chunk: Int, token: UInt64) {
        let index = chunk >> ChunkNode.shift
        while nodes.count <= index { nodes.append(NodeReference(node: nil)) }
        let node: ChunkNode
        if let shared = nodes[index].node {
            node = shared.owner == token ? shared : ChunkNode(owner: token, copying: shared)
        } else {
            node = ChunkNode(owner: token, blank: blankBlock)
        }
        nodes[index] = NodeReference(node: node)
        node.chunks[chunk & ChunkNode.mask] = new
        node.blocks[chunk & ChunkNode.mask] = new.block
    }

    // MARK: - Rows

    /// Whether a row holds a value.
    @inline(__always)
    func isValid(at row: Row) -> Bool {
        block(row.chunk).isValid(at: row.offset)
    }

    /// The element of a row, whether it counts as a value or not; `type` is that of the kind.
    @inline(__always)
    func element<Element: ColumnElement>(_ type: Element.Type, at row: Row) -> Element {
        block(row.chunk).elements(of: type)[row.offset]
    }
}

extension AttributeDescription {
    /// What the attribute reads as where it is not optional and nobody gave it a value.
    var blank: Datum {
        if let first = allowedValues?.first { return first }
        return switch type {
        case .boolean: .boolean(.unset)
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer(.unset)
        case .uint64: .unsigned(0)
        case .float, .double: .double(.unset)
        case .date: .date(Date(timeIntervalSinceReferenceDate: .unset))
        case .decimal: .decimal(.unset)
        case .string: .string(.unset)
        case .json: .string(blankJSON ?? .unset)
        case .url: .string(URL(stored: .unset).absoluteString)
        case .uuid: .uuid(.unset)
        case .data: .data(.unset)
        }
    }
}

/// Reads a column through addresses: no count of references is touched on the way.
///
/// It is good while the column that it is of neither changes nor goes.
struct ColumnReader: Equatable {
    fileprivate let nodes: UnsafePointer<NodeReference>?
    fileprivate let count: Int
    fileprivate let blank: UnsafeMutableRawPointer

    /// The block of the chunk of the given number.
    @inline(__always)
    func block(_ chunk: Int) -> UnsafeMutableRawPointer {
        let node = chunk &>> ChunkNode.shift
        guard node < count, let blocks = nodes?[node].blocks else { return blank }
        return blocks[chunk & ChunkNode.mask]
    }

    /// Those of some rows that hold no value.
    ///
    /// - Complexity: O(n) in the number of rows; fastest where neighbours come one after another.
    func rowsWithoutValue(among rows: ContiguousArray<Row>) -> [Row] {
        var found: [Row] = []
        var (number, block) = (-1, blank)
        for row in rows {
            let chunk = row.chunk
            if chunk != number { (number, block) = (chunk, self.block(chunk)) }
            if !block.isValid(at: row.offset) { found.append(row) }
        }
        return found
    }
}

/// A node, beside the addresses of its blocks: they are read without touching the node's count of
/// references, which is what most of the time of a look-up would go into.
///
/// Sendable for the reason that `Chunk` is; the addresses lead to blocks that the node keeps alive.
fileprivate struct NodeReference: @unchecked Sendable {
    let node: ChunkNode?
    let blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>?

    init(node: ChunkNode?) {
        self.node = node
        blocks = node?.blocks
    }
}

/// A directory of 32 chunks.
///
/// Sendable for the reason that `Chunk` is: it is written only under the token of a transaction that
/// has not yet given it away.
private final class ChunkNode: @unchecked Sendable {
    static let shift = 5
    static let mask = 31

    let owner: UInt64
    let chunks: UnsafeMutablePointer<Chunk?>
    /// The block of each chunk, or the blank one.
    let blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>

    init(owner: UInt64, blank: UnsafeMutableRawPointer) {
        self.owner = owner
        chunks = .allocate(capacity: Self.mask + 1)
        chunks.initialize(repeating: nil, count: Self.mask + 1)
        blocks = .allocate(capacity: Self.mask + 1)
        blocks.initialize(repeating: blank, count: Self.mask + 1)
    }

    init(owner: UInt64, copying other: ChunkNode) {
        self.owner = owner
        chunks = .allocate(capacity: Self.mask + 1)
        chunks.initialize(from: other.chunks, count: Self.mask + 1)
        blocks = .allocate(capacity: Self.mask + 1)
        blocks.initialize(from: other.blocks, count: Self.mask + 1)
    }

    deinit {
        chunks.deinitialize(count: Self.mask + 1)
        chunks.deallocate()
        blocks.deallocate()
    }
}
