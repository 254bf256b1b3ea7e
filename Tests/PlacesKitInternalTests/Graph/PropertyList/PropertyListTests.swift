import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

@Suite struct PropertyListTests {
    private static let rounds = 200

    @Test func `what is written is read back, and by Foundation too`() throws {
        for seed in 0..<Self.rounds {
            var random = SplitMix64(seed: UInt64(seed))
            let tree = PropertyListTree.random(&random, depth: 3)
            for bytes in [tree.binary, tree.xml] {
                let isBinary = bytes == tree.binary
                let read = isBinary ? try tree.read(binary: bytes) : try tree.read(xml: bytes)
                #expect(read == tree, "seed \(seed)")
                let object = try PropertyListSerialization.propertyList(
                    from: Data(bytes), format: nil)
                #expect(tree.read(object) == tree, "seed \(seed), binary \(isBinary)")
            }
        }
    }

    @Test func `what Foundation writes is read`() throws {
        for seed in 0..<Self.rounds {
            var random = SplitMix64(seed: UInt64(seed))
            let tree = PropertyListTree.random(&random, depth: 3)
            let binary = try PropertyListSerialization.data(
                fromPropertyList: tree.object, format: .binary, options: 0)
            #expect(try tree.read(binary: Array(binary)) == tree, "seed \(seed)")
            let xml = try PropertyListSerialization.data(
                fromPropertyList: tree.object, format: .xml, options: 0)
            #expect(try tree.read(xml: Array(xml)) == tree, "seed \(seed)")
        }
    }

    @Test func `damaged lists are errors, never crashes`() {
        for seed in 0..<Self.rounds {
            var random = SplitMix64(seed: UInt64(seed))
            let tree = PropertyListTree.random(&random, depth: 2)
            var (binary, xml) = (tree.binary, tree.xml)
            for _ in 0..<8 {
                binary[random.below(binary.count)] = UInt8(truncatingIfNeeded: random.next())
                xml[random.below(xml.count)] = random.pick(Array("<>/&;k]-!\"x\0".utf8))
                _ = try? tree.read(binary: binary)
                _ = try? tree.read(xml: xml)
                _ = try? tree.read(binary: Array(binary.prefix(random.below(binary.count))))
                _ = try? tree.read(xml: Array(xml.prefix(random.below(xml.count))))
            }
        }
    }

    @Test func `a list that contains itself ends in an error`() throws {
        // One array whose only element is object 0, the array itself.
        let bytes =
            BinaryPropertyListReader.header + [0xA1, 0x00, 0x08, 0, 0, 0, 0, 0, 0, 1, 1]
            + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
        #expect(throws: JSONError.self) {
            try BinaryPropertyListReader.read(bytes) { reader in
                while true {
                    try reader.beginArray()
                    _ = try reader.nextElement()
                }
            }
        }
    }

    @Test func `keys come in the order of the table, whatever theirs is`() throws {
        let xml = """
            <plist><dict><key>b</key><array><string>x</string></array><key>z</key><date>x</date>
            <key>a</key><integer>1</integer></dict></plist>
            """
        let table = JSONKeyTable(["a", "b"])
        var keys: [JSONKey] = []
        try XMLPropertyListReader.read(Array(xml.utf8)) { reader in
            try reader.beginOrderedObject()
            while let key = try reader.nextKey(in: table) {
                keys.append(key)
                try reader.skipValue()
            }
        }
        #expect(keys == [.known(0), .known(1), .unknown("z")])
        let object: [String: Any] = ["b": ["x"], "z": "x", "a": 1, "c": 2.5]
        let data = try PropertyListSerialization.data(
            fromPropertyList: object, format: .binary, options: 0)
        keys = []
        try BinaryPropertyListReader.read(Array(data)) { reader in
            try reader.beginOrderedObject()
            while let key = try reader.nextKey(in: table) { keys.append(key) }
        }
        #expect(keys.prefix(2) == [.known(0), .known(1)])
        #expect(keys.count == 4)
    }

    @Test func `keys that the table does not have, or twice, come in their own order`() throws {
        let xml = """
            <plist><dict><key>y</key><true/><key>b</key><true/><key>x</key><true/><key>a</key><true/>
            <key>b</key><true/><key>z</key><true/></dict></plist>
            """
        let table = JSONKeyTable(["a", "b"])
        for isOrdered in [false, true] {
            var (keys, offsets): ([JSONKey], [Int]) = ([], [])
            try XMLPropertyListReader.read(Array(xml.utf8)) { reader in
                if isOrdered { try reader.beginOrderedObject() } else { try reader.beginObject() }
                while let key = try reader.nextKey(in: table) {
                    keys.append(key)
                    offsets.append(reader.offset)
                    try reader.skipValue()
                }
            }
            #expect(
                keys == [
                    .known(0), .known(1), .known(1), .unknown("y"), .unknown("x"), .unknown("z"),
                ])
            #expect(offsets[1] < offsets[2])
        }
    }

    @Test(arguments: [
        ("<plist><string>a</string>", 1, 26), ("<plist><strin>a</strin></plist>", 1, 8),
        ("<plist><string>&bogus;</string></plist>", 1, 16),
        ("<plist>\n<string>a</integer></plist>", 2, 10), ("<string>a</string><true/>", 1, 19),
        ("", 1, 1), ("<!DOCTYPE plist", 1, 16),
    ])
    func `an error names line and column`(xml: String, line: Int, column: Int) {
        let error = #expect(throws: JSONError.self) {
            try XMLPropertyListReader.read(Array(xml.utf8)) { try $0.readString() }
        }
        #expect(error?.line == line)
        #expect(error?.column == column)
    }

    @Test(arguments: [
        ("<string/>", ""), ("<string></string>", ""),
        (
            "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY x \"y\">]><plist version=\"1.0\">"
                + "<!-- <x> --><string>a<![CDATA[<b>&amp;]]>&#233;&#xe9;<!-- x -->\r\n</string></plist>\n",
            "a<b>&amp;éé\r\n"
        ),
        ("<data>YQFi</data>", "a\u{1}b"),
    ])
    func `text is read however XML writes it`(xml: String, text: String) throws {
        #expect(try XMLPropertyListReader.read(Array(xml.utf8)) { try $0.readString() } == text)
    }

    @Test func `text that XML cannot write is kept nevertheless`() throws {
        let tree = PropertyListTree.string("a\u{0}\u{1}\u{FFFE}")
        #expect(try tree.read(xml: tree.xml) == tree)
        // Foundation reads a byte order mark at the beginning of a text as if it were not there.
        let marked = PropertyListTree.string("\u{FEFF}a")
        #expect(try marked.read(xml: marked.xml) == marked)
        let read = try PropertyListSerialization.propertyList(from: Data(marked.xml), format: nil)
        #expect(read as? Data == Data("\u{FEFF}a".utf8))
    }

    @Test func `text that is data is read where another tool made a binary list of XML`() throws {
        let long = String(repeating: "é", count: 100)
        let tree = PropertyListTree.array([
            .string("a\u{1}b"), .string("\u{0}" + long), .string(long), .string(""),
        ])
        let object = try PropertyListSerialization.propertyList(from: Data(tree.xml), format: nil)
        let binary = try PropertyListSerialization.data(
            fromPropertyList: object, format: .binary, options: 0)
        #expect(try tree.read(binary: Array(binary)) == tree)
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: Data([0x61, 0xFF]), format: .binary, options: 0)
        #expect(throws: JSONError.self) {
            try BinaryPropertyListReader.read(Array(bytes)) { try $0.readString() }
        }
    }

    @Test func `names that differ in their bytes alone stay different`() throws {
        let tree = PropertyListTree.array([
            .dictionary(["\u{E9}": .integer(1)]), .dictionary(["e\u{301}": .integer(2)]),
        ])
        let names = try BinaryPropertyListReader.read(tree.binary) { reader in
            var names: [[UInt8]] = []
            try reader.beginArray()
            while try reader.nextElement() {
                try reader.beginObject()
                while case .unknown(let name)? = try reader.nextKey(in: JSONKeyTable([])) {
                    names.append(Array(name.utf8))
                }
            }
            return names
        }
        #expect(names == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
    }

    @Test func `containers that are held again and again end in an error`() throws {
        // Ten arrays, each of which holds the next one ten times: 10^10 elements in 200 bytes.
        var bytes = BinaryPropertyListReader.header
        var offsets: [UInt8] = []
        for number in 0..<10 as Range<UInt8> {
            offsets.append(UInt8(bytes.count))
            bytes += [0xAA] + [UInt8](repeating: number + 1, count: 10)
        }
        offsets.append(UInt8(bytes.count))
        bytes.append(0x09)
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        bytes +=
            [0, 0, 0, 0, 0, 0, 0, 11] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
        func walk(_ reader: inout BinaryPropertyListReader) throws {
            guard try reader.peekKind() == .array else { return }
            try reader.beginArray()
            while try reader.nextElement() { try walk(&reader) }
        }
        #expect(throws: JSONError.self) {
            try BinaryPropertyListReader.read(bytes) { try walk(&$0) }
        }
    }
}
