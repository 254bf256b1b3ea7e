/// What a contestant's answer boils down to, so that answers can be compared.
struct Checksum: Equatable, CustomStringConvertible {
    private(set) var value: UInt64 = 0

    /// Adds a number of which the order does not matter.
    mutating func add(_ number: Int) {
        value &+= UInt64(bitPattern: Int64(number))
    }

    /// Adds three attributes of a photo, in no order: what `iterate` reads.
    mutating func add(titleLength: Int, views: Int, latitude: Double) {
        add(titleLength &+ views &+ Int(latitude * 1_000))
    }

    /// Appends text of which the order does matter (FNV-1a).
    mutating func append(_ text: some Sequence<UInt8>) {
        for byte in text {
            value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }

    /// Appends a number of which the order does matter.
    mutating func append(_ number: Int) {
        value = (value ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01B3
    }

    var description: String {
        String(value, radix: 16)
    }
}
