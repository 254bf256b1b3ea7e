import PlacesKit
import Testing

@Suite struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("a\"b\\c/d", #""a\"b\\c/d""#),
        ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#), ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""),
        ("Zürich 東京 🗼\u{2028}", "\"Zürich 東京 🗼\u{2028}\""),
        ("nothing to escape in here, then a\n", #""nothing to escape in here, then a\n""#),
    ])
    func `strings are escaped where they must be, and as briefly as can be`(
        value: String, expected: String
    ) {
        #expect(text { $0.write(value) } == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (7, "7"), (-10, "-10"), (.max, "9223372036854775807"),
            (.min, "-9223372036854775808"),
        ] as [(Int64, String)])
    func `integers are written in full`(value: Int64, expected: String) {
        #expect(text { $0.write(value) } == expected)
    }

    @Test(
        arguments: [
            (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-3, "-3.0"), (0.1, "0.1"),
            (48.8566, "48.8566"),
            (9007199254740991, "9007199254740991.0"), (1e300, "1e+300"),
            (.leastNonzeroMagnitude, "5e-324"),
            (.nan, "\"NaN\""), (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
        ] as [(Double, String)])
    func `doubles are written with the fewest digits`(value: Double, expected: String) {
        #expect(text { $0.write(value) } == expected)
    }

    @Test func `commas and lines separate what is written`() {
        let table = JSONKeyTable(["id", "a\"b"])
        let written = text { writer in
            writer.beginObject()
            writer.writeKey("list")
            writer.beginArray()
            for index in 0..<2 {
                writer.beginNewLine()
                writer.beginObject()
                writer.writeKey(0, in: table)
                writer.write(Int64(index))
                writer.writeKey(1, in: table)
                writer.write(index == 0)
                writer.endObject()
            }
            writer.beginNewLine()
            writer.endArray()
            writer.writeKey("empty")
            writer.beginArray()
            writer.endArray()
            writer.writeKey("none")
            writer.writeNull()
            writer.writeKey("bytes")
            writer.writePlain("0aF")
            writer.endObject()
        }
        #expect(
            written == #"""
                {"list":[
                {"id":0,"a\"b":true},
                {"id":1,"a\"b":false}
                ],"empty":[],"none":null,"bytes":"0aF"}
                """#)
    }

    @Test func `draining hands out in parts what undrained would be whole`() throws {
        func write(_ writer: inout JSONWriter, drain: (inout JSONWriter) -> Void) {
            writer.beginArray()
            for index in 0..<100 {
                writer.beginNewLine()
                writer.write("element \(index)")
                drain(&writer)
            }
            writer.endArray()
        }
        var whole = JSONWriter()
        write(&whole) { _ in }

        var parts: [[UInt8]] = []
        var writer = JSONWriter()
        write(&writer) { writer in writer.drain(atLeast: 64) { parts.append(Array($0)) } }
        writer.drain(atLeast: 0) { parts.append(Array($0)) }
        writer.drain(atLeast: 0) { _ in Issue.record("nothing is left to drain") }

        #expect(parts.count > 10)
        #expect(parts.dropLast().allSatisfy { (64..<128).contains($0.count) })
        #expect(Array(parts.joined()) == whole.bytes)
    }

    @Test func `what a sink throws reaches the caller, and nothing is forgotten`() {
        struct Full: Error {}
        var writer = JSONWriter()
        writer.write("text")
        #expect(throws: Full.self) { try writer.drain(atLeast: 0) { _ in throw Full() } }
        #expect(writer.bytes == Array("\"text\"".utf8))
    }
}
