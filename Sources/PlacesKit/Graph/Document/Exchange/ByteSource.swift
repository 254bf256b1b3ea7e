import PlacesBase

/// The bytes of a file, one after the other, of which a piece is in memory.
struct ByteSource {
    private static let pieceSize = 1 << 18
    /// How long one record may be.
    static let recordLimit = 1 << 28

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let file: OpenInput
    private let task: ExchangeTask
    private var piece: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// Where the next byte is.
    private(set) var location = TextLocation()
    /// How many bytes were taken.
    private(set) var count = 0

    /// Begins at the beginning, behind a byte order mark.
    init(_ path: FilePath, _ task: ExchangeTask) throws {
        self.task = task
        file = try OpenInput(path, task.check)
        try fill()
        // A pipe may give a part of it first.
        while !isAtEnd, piece.count < 3, Self.byteOrderMark.starts(with: piece) {
            let first = piece
            try fill()
            piece = first + piece
        }
        if piece.starts(with: Self.byteOrderMark) { (position, count) = (3, 3) }
    }

    private mutating func fill() throws {
        guard !isAtEnd else { return }
        piece = try file.read(upTo: Self.pieceSize, task.check)
        position = 0
        isAtEnd = piece.isEmpty
    }

    /// Notes that a line ended, with a carriage return alone.
    mutating func passLine() { location.passLine() }

    /// The next byte, which stays; `nil` at the end.
    mutating func peek() throws -> UInt8? {
        if position == piece.count { try fill() }
        return position < piece.count ? piece[position] : nil
    }

    /// Takes the next byte; `nil` at the end.
    mutating func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        count += 1
        location.pass(byte)
        return byte
    }
}
