import Foundation
import PlacesKit
import Testing

@Suite struct JSONReaderTests {
    private func read<Value>(
        _ text: String, _ body: (inout JSONReader) throws -> Value
    ) throws -> Value {
        try JSONReader.read(Array(text.utf8), body)
    }

    private func fault(
        _ text: String, _ body: (inout JSONReader) throws -> Void
    ) -> JSONError? {
        #expect(throws: JSONError.self) { try read(text, body) }
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""""#, ""), (#""a\"b\\c\/d""#, "a\"b\\c/d"),
        (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC\uD834\uDD1Ez""#, "Aé€𝄞z"),
        (#""\u0000""#, "\0"), ("\"\u{FEFF}\\ufeff\u{FFFF}\"", "\u{FEFF}\u{FEFF}\u{FFFF}"),
        (#""Zürich \u2192 東京 🗼""#, "Zürich → 東京 🗼"),
        (#""a string of more than sixteen bytes\n""#, "a string of more than sixteen bytes\n"),
    ])
    func `strings are read with their escapes replaced`(text: String, value: String) throws {
        #expect(try read(text) { try $0.readString() } == value)
        #expect(try read(text) { try $0.readString(as: "text") { Array($0) } } == Array(value.utf8))
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-42", -42), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("1000000000000000000", 1_000_000_000_000_000_000),
        ] as [(String, Int64)])
    func `integers are read over the whole range`(text: String, value: Int64) throws {
        #expect(try read(text) { try $0.readInt64() } == value)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "18446744073709551617", "-99999999999999999999", "100000000000000000000000",
    ])
    func `an integer that does not fit is an error`(text: String) {
        let error = fault(" " + text) { _ = try $0.readInt64() }
        #expect(error?.kind == .numberOutOfRange(type: "a 64-bit integer"))
        #expect(error?.byteOffset == 1)
    }

    @Test(arguments: ["1.0", "1e2", "-0.5", "1E400"])
    func `a number with a fraction or an exponent is no integer`(text: String) {
        #expect(fault(text) { _ = try $0.readInt64() }?.kind == .notAnInteger)
    }

    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("0.1", 0.1), ("48.8566", 48.8566), ("-2.5e-3", -0.0025),
            ("9007199254740993", 9007199254740992),
            ("9007199254740993.0000000001", 9007199254740994),
            ("1e22", 1e22), ("1e23", 1e23),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
            ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown), ("0e999999999999", 0),
            ("8.41e21", 8.41e21), ("0.000000000000000000000000000001", 1e-30),
        ] as [(String, Double)])
    func `doubles are read to the nearest one`(text: String, value: Double) throws {
        let found = try read(text) { try $0.readDouble() }
        #expect(found.bitPattern == value.bitPattern)
    }

    @Test func `a reader that need not locate failures tells the byte alone`() {
        for isLocated in [true, false] {
            let error = fault("[1,\n2,\n x]") {
                $0.locatesFailures = isLocated
                try $0.skipValue()
            }
            #expect(error?.byteOffset == 8)
            #expect(error.map { [$0.line, $0.column] } == (isLocated ? [3, 2] : [1, 1]))
        }
    }

    @Test func `the zeros keep their sign`() throws {
        #expect(try read("-0") { try $0.readDouble() }.sign == .minus)
        #expect(try read("-0.0") { try $0.readDouble() }.sign == .minus)
        #expect(try read("0.0") { try $0.readDouble() }.sign == .plus)
    }

    @Test func `doubles that are not finite are read from their names`() throws {
        #expect(try read("\"NaN\"") { try $0.readDouble() }.isNaN)
        #expect(try read("\"Infinity\"") { try $0.readDouble() } == .infinity)
        #expect(try read("\"-Infinity\"") { try $0.readDouble() } == -.infinity)
        let error = fault("\"nan\"") { _ = try $0.readDouble() }
        #expect(
            error?.kind == .invalidValue(expected: #"a number, "NaN", "Infinity" or "-Infinity""#))
    }

    @Test(arguments: ["1e309", "-1e309", "1e99999999999999999999"])
    func `a number too large for a double is an error`(text: String) {
        let error = fault(text) { _ = try $0.readDouble() }
        #expect(error?.kind == .numberOutOfRange(type: "a double"))
    }

    @Test func `booleans and nulls are read`() throws {
        let values = try read("[true, false, null, 3]") { reader in
            try reader.beginArray()
            var values: [String] = []
            while try reader.nextElement() {
                if try reader.readNullIfPresent() {
                    values.append("null")
                } else if try reader.peekKind() == .boolean {
                    values.append("\(try reader.readBool())")
                } else {
                    values.append("\(try reader.readInt64())")
                }
            }
            return values
        }
        #expect(values == ["true", "false", "null", "3"])
    }

    @Test func `a value of another type is told by both types`() {
        let wanted: [(JSONError.ValueKind, (inout JSONReader) throws -> Void)] = [
            (.string, { _ = try $0.readString() }), (.number, { _ = try $0.readInt64() }),
            (.boolean, { _ = try $0.readBool() }), (.null, { try $0.readNull() }),
            (.array, { try $0.beginArray() }), (.object, { try $0.beginObject() }),
        ]
        let texts: [(JSONError.ValueKind, String)] = [
            (.string, "\"\""), (.number, "-1"), (.boolean, "true"), (.null, "null"),
            (.array, "[]"), (.object, "{}"),
        ]
        for (expected, body) in wanted {
            for (found, text) in texts where found != expected {
                #expect(
                    fault("  \(text)", body)
                        == JSONError(
                            kind: .wrongType(expected: expected, found: found),
                            line: 1, column: 3, byteOffset: 2))
            }
        }
    }

    @Test func `a string that does not spell what is wanted is told with its position`() {
        let error = fault("\n \"x\"") { reader in
            _ = try reader.readString(as: "a UUID") { _ in nil as UUID? }
        }
        #expect(
            error
                == JSONError(
                    kind: .invalidValue(expected: "a UUID"), line: 2, column: 2, byteOffset: 2))
    }

    @Test func `what is skipped leaves the reader at the value after it`() throws {
        let text = #"{"skip":[1,{"a":[],"b":{}},"\n",-1.5e3,true,null],"take":7}"#
        let value = try read(text) { reader in
            var taken: Int64?
            try reader.beginObject()
            while let key = try reader.nextKey() {
                if key == "take" {
                    taken = try reader.readInt64()
                } else {
                    try reader.skipValue()
                }
            }
            return taken
        }
        #expect(value == 7)
    }

    @Test func `a fault is told by line, column and byte, counting scalars`() {
        let error = fault("[\"é🗼\",\r\n  \"東\", x]") { try $0.skipValue() }
        #expect(error?.kind == .unexpectedByte(UInt8(ascii: "x"), expected: "a value"))
        #expect(error?.line == 2)
        #expect(error?.column == 8)
        #expect(error?.byteOffset == 21)
        #expect(
            "\(error as Any)".contains("line 2, column 8 (byte 21): expected a value, found 'x'"))
    }

    @Test func `a byte order mark is told as one`() {
        #expect(fault("\u{FEFF}{}") { try $0.skipValue() }?.kind == .byteOrderMark)
    }
}
