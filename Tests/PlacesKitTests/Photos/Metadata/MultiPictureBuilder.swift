/// Lays out the index of a file with several pictures, as CIPA DC-007 has it: the file itself, then others.
struct MultiPictureBuilder {
    var isBigEndian = false
    /// Kind, length and place of each further picture; places count from the index's own header.
    var pictures: [(kind: UInt32, length: Int, offset: Int)] = []

    var bytes: [UInt8] {
        let entries = [(kind: 0x2003_0000, length: 0, offset: 0)] + pictures
        var output: [UInt8] = Array("MPF\0".utf8)
        output += isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        output += number(8 as UInt32) + number(3 as UInt16)
        output += number(0xB000 as UInt16) + number(7 as UInt16) + number(4 as UInt32)
        output += Array("0100".utf8)
        output += number(0xB001 as UInt16) + number(4 as UInt16) + number(1 as UInt32)
        output += number(UInt32(entries.count))
        output += number(0xB002 as UInt16) + number(7 as UInt16)
        output += number(UInt32(16 * entries.count)) + number(50 as UInt32)
        output += number(0 as UInt32)
        for entry in entries {
            output += number(entry.kind) + number(UInt32(truncatingIfNeeded: entry.length))
            output += number(UInt32(truncatingIfNeeded: entry.offset)) + number(0 as UInt32)
        }
        return output
    }

    private func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }
}
