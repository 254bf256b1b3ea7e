import PlacesBase
import PlacesKit
import Testing

@testable import PlacesGraph

/// Values of a feed, read from JSON.
@Suite struct JSONValueTests {
    @Test(arguments: [
        ("1", JSONValue.integer(1)), ("-9223372036854775808", .integer(.min)),
        ("18446744073709551615", .unsigned(.max)), ("1.5", .number(1.5)), ("1e3", .number(1000)),
        ("1.0", .number(1)), ("-0.0", .number(-0.0)), ("18446744073709551616", .number(0x1p64)),
    ])
    func `numbers of a feed are read as what they are`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(Array(text.utf8)) { try $0.readJSONValue() } == value)
    }

    @Test(arguments: ["-0", "-0.0", "-0e0"])
    func `a negative zero stays one, however it is spelled`(text: String) throws {
        let value = try JSONReader.read(Array(text.utf8)) { try $0.readJSONValue() }
        var writer = JSONWriter()
        writer.write(value)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "-0.0")
    }
}
