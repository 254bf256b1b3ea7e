import PlacesKit
import Testing

@testable import PlacesGraph

/// Numbers in XML property lists are what Apple's reader takes for numbers.
@Suite struct XMLNumberTests {
    private func integer(_ text: String) throws -> Int64 {
        try XMLPropertyListReader.read(Array("<plist><integer>\(text)</integer></plist>".utf8)) {
            try $0.readInt64()
        }
    }

    private func real(_ text: String, in element: String = "real") throws -> Double {
        let list = "<plist><\(element)>\(text)</\(element)></plist>"
        return try XMLPropertyListReader.read(Array(list.utf8)) { try $0.readDouble() }
    }

    @Test(arguments: [
        ("17", 17), (" 17", 17), ("17\n", 17), ("\t\r\n-17 ", -17), ("+5", 5), ("0x10", 16),
        ("0XfF", 255), ("-0x80", -128), (" +0x1 ", 1), ("-0x8000000000000000", Int64.min),
        ("9223372036854775807", Int64.max), ("007", 7), ("-0", 0),
    ])
    func `whole numbers have signs, hexadecimal digits and white space around them`(
        text: String, value: Int64
    ) throws {
        #expect(try integer(text) == value)
    }

    @Test(arguments: [
        "", " ", "-", "+", "0x", "-0x", "--5", "+-5", "0x-5", "0x+5", "-0x-5", "1 2", "- 5", "1.0",
        "1e3", "ten", "9223372036854775808", "0x8000000000000000", "5x", "x5", "00x5",
    ])
    func `other texts are no whole numbers`(text: String) {
        #expect(throws: JSONError.self) { try integer(text) }
    }

    @Test(arguments: [
        ("2.5", 2.5), (" 2.5\n", 2.5), ("-1e3", -1000), ("+.5", 0.5), ("17", 17),
        ("infinity", .infinity), ("-infinity", -.infinity), ("+infinity", .infinity),
    ])
    func `reals have white space around them`(text: String, value: Double) throws {
        #expect(try real(text) == value)
    }

    @Test func `a real may be no number`() throws {
        #expect(try real(" nan ").isNaN)
    }

    @Test(arguments: ["", " ", "0x10", "0x1p4", "-0X1", "nan(0x1)", "1 2", "2.5.", "two", "1,5"])
    func `other texts are no reals`(text: String) {
        #expect(throws: JSONError.self) { try real(text) }
    }

    @Test(arguments: ["1e400", "-1e400", "1" + String(repeating: "0", count: 400)])
    func `a number that is too large is not infinity`(text: String) throws {
        let error = #expect(throws: JSONError.self) { try real(text) }
        #expect(error?.kind == .numberOutOfRange(type: "a double"))
    }

    @Test func `a whole number is read as a real`() throws {
        #expect(try real(" -3\n", in: "integer") == -3)
    }

    @Test func `a number that is not negative has no other sign`() throws {
        for (text, value) in [("5", UInt64(5)), (" 0xFFFFFFFFFFFFFFFF", .max), ("-0", 0)] {
            let read = try XMLPropertyListReader.read(
                Array("<plist><integer>\(text)</integer></plist>".utf8)
            ) { try $0.readUInt64() }
            #expect(read == value)
        }
        #expect(throws: JSONError.self) {
            try XMLPropertyListReader.read(Array("<plist><integer>-1</integer></plist>".utf8)) {
                try $0.readUInt64()
            }
        }
    }
}
