extension DocumentRandom {
    /// Some bytes with one thing wrong: a bit, a byte too few, an end of a line too many, a part that is gone
    /// or there twice, or no end.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var altered = bytes
        let position = Int.random(in: altered.indices, using: &self)
        switch Int.random(in: 0..<6, using: &self) {
        case 0: altered[position] ^= 1 << UInt8.random(in: 0..<8, using: &self)
        case 1: altered.remove(at: position)
        case 2: altered.insert(UInt8(ascii: "\n"), at: position)
        case 3: altered.removeSubrange(position...)
        case 4:
            let length = Int.random(in: 0..<400, using: &self)
            altered.insert(contentsOf: altered[position...].prefix(length), at: position)
        default:
            let length = Int.random(in: 0..<400, using: &self)
            altered.removeSubrange(position..<min(altered.count, position + length))
        }
        return altered
    }
}
