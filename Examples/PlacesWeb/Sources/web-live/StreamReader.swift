/// Counts the events of a stream, and finds the numbers of changes in them, in whatever pieces they come.
struct StreamReader {
    private static let (sign, lineEnd) = (UInt8(ascii: "#"), UInt8(ascii: "\n"))

    /// How many events have come; an empty line ends each.
    private(set) var eventCount = 0
    private var number: Int?
    private var last: UInt8 = 0

    /// A number as it stands in a title.
    static func text(of number: Int) -> String { "#\(number)#" }

    /// Reads on; tells each number that is complete.
    mutating func read(_ bytes: some Sequence<UInt8>, _ tell: (Int) -> Void) {
        for byte in bytes {
            if byte == Self.lineEnd, last == Self.lineEnd { eventCount += 1 }
            last = byte
            switch (byte, number) {
            case (Self.sign, let known?):
                tell(known)
                number = nil
            case (Self.sign, nil): number = 0
            case (48...57, let known?): number = known * 10 + Int(byte - 48)
            case (_, nil): break
            default: number = nil
            }
        }
    }
}
