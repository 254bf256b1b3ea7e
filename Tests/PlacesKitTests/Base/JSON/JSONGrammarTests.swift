import Foundation
import PlacesKit
import Testing

/// What RFC 8259 accepts and rejects.
///
/// Each text is read twice: into a tree and by skipping it.
@Suite struct JSONGrammarTests {
    static let accepted: [String] = [
        "null", "true", "false", "0", "-0", "1", "-1", "12.5", "1e5", "1E+5", "1e-5", "0.1e01",
        "0e1", "0e+1", "-0.0", "123.456e78", "\"\"", "[]", "{}", " \t\r\n[ \n] \t", "[[]   ]",
        "[1,2]", "[1 , 2]", "[null,1,\"1\",{}]", "{\"a\":1}", "{\"a\" : 1 , \"b\" : 2}",
        "{\"\":0}", "{\"a\":\"b\",\"a\":\"c\"}", "{\"\\u0000\":0}", #""\"\\\/\b\f\n\r\t""#,
        #""\u0041\u00e9\u20AC""#, #""\uD834\uDD1E""#, #""\ud834\udd1e""#, #""\\u0000""#,
        #""\uFFFF""#, "\"\u{7F}\"", "\"\u{2028}\"", "\"é€𝄞\"", "\"\u{10FFFF}\"", "\"/*a*/\"",
        "1.0000000000000000000000000000000000000001", "1e-99999999999", "[-9223372036854775808]",
        String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
        String(repeating: "{\"a\":", count: 511) + "[]" + String(repeating: "}", count: 511),
    ]

    static let rejected: [(text: String, offset: Int)] = [
        ("", 0), (" ", 1), ("nul", 3), ("nulL", 3), ("True", 0), ("truex", 4), ("tru", 3),
        ("+1", 0), ("01", 1), ("-01", 2), ("-", 1), ("--1", 1), ("1.", 2), (".5", 0), ("1.e5", 2),
        ("1e", 2), ("1e+", 3), ("1eE2", 2), ("0x1", 1), ("1_000", 1), ("-a", 1), ("- 1", 1),
        ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("1 2", 2), ("1.2.3", 3), ("0.1.", 3),
        ("[", 1), ("]", 0), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("[1,,2]", 3),
        ("[1 2]", 3), ("[1:2]", 2), ("[1}", 2), ("[]]", 2), ("[],", 2), ("[\u{0C}]", 1),
        ("{", 1), ("}", 0), ("{a:1}", 1), ("{'a':1}", 1), ("{1:1}", 1), ("{\"a\"}", 4),
        ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("{\"a\":1", 6), ("{\"a\" 1}", 5), ("{\"a\"::1}", 5),
        ("{,}", 1), ("{\"a\":1]", 6), ("{\"a\":1 \"b\":2}", 7), ("{\"a\":1,,\"b\":2}", 7),
        ("{\"a\"", 4), ("{\"a\":1}x", 7), ("{\"a\":/**/1}", 5), ("{}//", 2), ("{null:1}", 1),
        ("\"", 0), ("\"a", 0), ("'a'", 0), ("\"a\tb\"", 2), ("\"a\nb\"", 2), ("\"\u{0}\"", 1),
        ("\"\\", 1), ("\"\\\"", 0), ("\"\\a\"", 1), ("\"\\x41\"", 1), ("\"\\u\"", 1),
        ("\"\\u12\"", 1), ("\"\\u12G4\"", 1), ("\"\\U0041\"", 1), ("\"\\ud800\"", 1),
        ("\"\\ud800\\u\"", 1), ("\"\\ud800\\u0041\"", 1), ("\"\\udc00\"", 1),
        ("\"\\ud800\\ud800\"", 1), ("\"\\uD800x\"", 1), ("\\u0041", 0), ("\u{FEFF}1", 0),
        ("\u{2060}[]", 0), ("[\u{A0}1]", 1), ("\"a\"b", 3), ("<null>", 0), ("*", 0),
        (String(repeating: "[", count: 513), 512),
        (String(repeating: "{\"a\":", count: 100_000), 2560),
    ]

    static let invalidUTF8: [(bytes: [UInt8], offset: Int)] = [
        ([0x80], 0), ([0xBF], 0), ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xC3], 0),
        ([0xC3, 0x28], 0), ([0xE0, 0x80, 0x80], 0), ([0xE0, 0x9F, 0xBF], 0), ([0xE2, 0x82], 0),
        ([0xE2, 0x82, 0x41], 0), ([0xED, 0xA0, 0x80], 0), ([0xED, 0xBF, 0xBF], 0),
        ([0xF0, 0x80, 0x80, 0x80], 0), ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF0, 0x9F, 0x98], 0),
        ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xFE], 0), ([0xFF], 0),
        ([0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF], 0), ([0x41, 0xC3, 0xA9, 0xE9], 3),
        ([0xC3, 0x5C, 0x6E], 0), (Array(repeating: 0x61, count: 17) + [0xFF], 17),
    ]

    @Test(arguments: accepted)
    func `a text of the grammar is accepted`(text: String) throws {
        let bytes = Array(text.utf8)
        _ = try JSONTree(bytes)
        try JSONReader.read(bytes) { try $0.skipValue() }
    }

    @Test(arguments: rejected)
    func `any other text is rejected where it departs from the grammar`(
        text: String, offset: Int
    ) {
        let bytes = Array(text.utf8)
        let error = #expect(throws: JSONError.self) { try JSONTree(bytes) }
        #expect(error?.byteOffset == offset, "\(text.debugDescription.prefix(80)): \(error as Any)")
        let same = #expect(throws: JSONError.self) {
            try JSONReader.read(bytes) { try $0.skipValue() }
        }
        #expect(same == error)
    }

    @Test(arguments: invalidUTF8)
    func `bytes that are not UTF-8 are rejected in values and keys`(bytes: [UInt8], offset: Int) {
        let quote = UInt8(ascii: "\"")
        let string = [quote] + bytes + [quote]
        let object = Array("{\"a\":1,".utf8) + string + Array(":0}".utf8)
        for (text, fault) in [(string, 1 + offset), (object, 8 + offset)] {
            for read in [{ _ = try JSONTree(text) }, { try skip(text) }, { try readKeys(text) }] {
                let error = #expect(throws: JSONError.self) { try read() }
                #expect(error?.kind == .invalidUTF8)
                #expect(error?.byteOffset == fault)
            }
        }
    }

    @Test func `the cases of the public suite are accepted and rejected as their names say`() throws
    {
        var folder = URL(filePath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        folder.append(path: "../shared/json-suite")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasSuffix(".json") {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            let tree = Result { try JSONTree(bytes) }
            let skipped = Result { try skip(bytes) }
            switch name.first {
            case "y":
                #expect(throws: Never.self, "\(name)") { _ = try tree.get() }
                #expect(throws: Never.self, "\(name)") { try skipped.get() }
            case "n":
                let error = #expect(throws: JSONError.self, "\(name)") { _ = try tree.get() }
                let same = #expect(throws: JSONError.self, "\(name)") { try skipped.get() }
                #expect(same == error, "\(name)")
            default: break
            }
        }
    }
}

private func skip(_ bytes: [UInt8]) throws {
    try JSONReader.read(bytes) { try $0.skipValue() }
}

/// Reads the value of an object's keys by a table, or a lone string.
private func readKeys(_ bytes: [UInt8]) throws {
    let table = JSONKeyTable(["a"])
    try JSONReader.read(bytes) { reader in
        guard try reader.peekKind() == .object else {
            return _ = try reader.readString(as: "text") { $0.count }
        }
        try reader.beginObject()
        while try reader.nextKey(in: table) != nil {
            try reader.skipValue()
        }
    }
}
