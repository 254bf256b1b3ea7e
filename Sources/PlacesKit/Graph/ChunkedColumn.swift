/// A sparse, persistent array of values in chunks.
///
/// Two levels of directory keep the cost of the first write after a snapshot small: it copies one
/// chunk, one node of 32 chunks and the array of nodes, whatever the column's length. Chunks that
/// nobody wrote are one shared chunk of defaults.
struct ChunkedColumn<Element: ColumnElement>: Sendable {
    /// The chunk that stands for every chunk never written.
    let blank: Chunk<Element>
    private var nodes: ContiguousArray<ChunkNode<Element>?> = []

    /// A column whose rows all hold `element`, valid or not.
    init(repeating element: Element = .unset, isValid: Bool = false) {
        blank = Chunk(owner: 0, repeating: element, isValid: isValid)
    }

    /// The block of the chunk of the given number.
    ///
    /// It lives as long as this value, or until the transaction that owns it replaces it.
    func block(_ chunk: Int) -> UnsafeMutableRawPointer {
        let node = chunk >> ChunkNode<Element>.shift
        guard node < nodes.count, let node = nodes[node] else { return blank.block }
        return node.chunks[chunk & ChunkNode<Element>.mask]?.block ?? blank.block
    }

    /// The block of the chunk of the given number, made writable for the transaction of `token`.
    mutating func writableBlock(_ chunk: Int, token: UInt64) -> UnsafeMutableRawPointer {
        let index = chunk >> ChunkNode<Element>.shift
        while nodes.count <= index { nodes.append(nil) }
        let node: ChunkNode<Element>
        if let shared = nodes[index] {
            if shared.owner == token {
                node = shared
            } else {
                node = ChunkNode(owner: token, copying: shared)
                nodes[index] = node
            }
        } else {
            node = ChunkNode(owner: token)
            nodes[index] = node
        }
        let position = chunk & ChunkNode<Element>.mask
        if let chunk = node.chunks[position], chunk.block.chunkOwner == token { return chunk.block }
        let copy = Chunk(owner: token, copying: node.chunks[position] ?? blank)
        node.chunks[position] = copy
        return copy.block
    }

    /// The element of a row, or `nil` where the row holds none.
    func value(at row: Int) -> Element? {
        let block = block(row >> ChunkLayout.shift)
        let offset = row & ChunkLayout.mask
        return block.isValid(at: offset) ? block.elements(of: Element.self)[offset] : nil
    }
}

/// A directory of 32 chunks.
///
/// Sendable for the reason that `Chunk` is: it is written only under the token of a transaction that
/// has not yet given it away.
private final class ChunkNode<Element: ColumnElement>: @unchecked Sendable {
    static var shift: Int { 5 }
    static var mask: Int { 31 }

    let owner: UInt64
    let chunks: UnsafeMutablePointer<Chunk<Element>?>

    init(owner: UInt64) {
        self.owner = owner
        chunks = .allocate(capacity: Self.mask + 1)
        chunks.initialize(repeating: nil, count: Self.mask + 1)
    }

    init(owner: UInt64, copying other: ChunkNode) {
        self.owner = owner
        chunks = .allocate(capacity: Self.mask + 1)
        chunks.initialize(from: other.chunks, count: Self.mask + 1)
    }

    deinit {
        chunks.deinitialize(count: Self.mask + 1)
        chunks.deallocate()
    }
}
