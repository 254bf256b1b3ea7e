import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// Binary property lists that name one value again and again.
@Suite struct SharedValuesTests {
    private static let count = 50_000

    /// An array whose elements are all one object; `marker` says of which type, and `length` how long it is.
    private func list(_ marker: UInt8, length: Int = 100_000, _ content: [UInt8]) -> [UInt8] {
        func integer(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        var bytes = BinaryPropertyListReader.header + [0xAF, 0x12] + integer(Self.count, 4)
        bytes += [UInt8](repeating: 1, count: Self.count)
        let value = bytes.count
        bytes += [marker | 0x0F, 0x12] + integer(length, 4) + content
        let offsets = bytes.count
        bytes += integer(8, 4) + integer(value, 4)
        return bytes + [0, 0, 0, 0, 0, 0, 4, 1] + integer(2, 8) + integer(0, 8)
            + integer(offsets, 8)
    }

    /// Where the elements lie in memory.
    private func addresses<Value>(
        _ bytes: [UInt8], _ read: (inout BinaryPropertyListReader) throws -> Value,
        _ address: (Value) -> UnsafeRawPointer?
    ) throws -> Set<UnsafeRawPointer?> {
        // All of them are kept, which without sharing would take 5 GB.
        var values: [Value] = []
        try BinaryPropertyListReader.read(bytes) { reader in
            try reader.beginArray()
            while try reader.nextElement() {
                #expect(try !reader.readNullIfPresent())
                values.append(try read(&reader))
            }
        }
        #expect(values.count == Self.count)
        return Set(values.map(address))
    }

    private func address(_ text: String) -> UnsafeRawPointer? {
        text.utf8.withContiguousStorageIfAvailable { UnsafeRawPointer($0.baseAddress) } ?? nil
    }

    @Test func `a text that is named again and again is in memory once`() throws {
        let plain = list(0x50, [UInt8](repeating: 97, count: 100_000))
        let wide = list(0x60, length: 50_000, [UInt8](repeating: 0x20, count: 100_000))
        let dollars = list(0x50, [UInt8](repeating: 36, count: 99_996) + Array("null".utf8))
        for bytes in [plain, wide, dollars] {
            #expect(try addresses(bytes, { try $0.readString() }, address).count == 1)
            #expect(try addresses(bytes, text, address).count == 1)
        }
    }

    /// The text that comes as a string, which goes into a column as it is.
    private func text(_ reader: inout BinaryPropertyListReader) throws -> String {
        var string: String?
        try reader.readText { if case .string(let text) = $0 { string = text } }
        return try #require(string)
    }

    @Test func `JSON that is named again and again is in memory once, and read once`() throws {
        let bytes = list(0x50, Array(("[" + String(repeating: " ", count: 99_998) + "]").utf8))
        #expect(try addresses(bytes, { try $0.readJSONText() }, address).count == 1)
    }

    @Test func `data that are named again and again are in memory once`() throws {
        let bytes = list(0x40, [UInt8](repeating: 97, count: 100_000))
        let found = try addresses(bytes, { try $0.readData() }) { data in
            data.withUnsafeBytes { $0.baseAddress }
        }
        #expect(found.count == 1)
    }

    @Test func `readers of parts of a list share what they read`() throws {
        let bytes = list(0x50, [UInt8](repeating: 97, count: 100_000))
        try BinaryPropertyListReader.read(bytes) { reader in
            try reader.beginArray()
            try #require(try reader.nextElement())
            let first = try reader.readString()
            var found: [String] = []
            for unit in reader.units(first: 100, others: 1_000, limit: 8) {
                _ = try reader.read(unit) { found.append(try $0.readString()) }
            }
            #expect(found.count == 8)
            #expect(Set(found.map(address)) == [address(first)])
        }
    }
}
