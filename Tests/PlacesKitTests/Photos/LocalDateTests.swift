import Foundation
import PlacesKit
import Testing

@Suite struct LocalDateTests {
    @Test func `a date the calendar lacks is no date`() {
        #expect(LocalDate(year: 2023, month: 2, day: 29) == nil)
        #expect(LocalDate(year: 2024, month: 2, day: 29) != nil)
        #expect(LocalDate(year: 1900, month: 2, day: 29) == nil)
        #expect(LocalDate(year: 0) == nil)
        #expect(LocalDate(year: 2024, month: 13) == nil)
        #expect(LocalDate(year: 2024, hour: 24) == nil)
    }

    @Test(arguments: [
        ("year", "9223372036854775807"), ("year", "-9223372036854775808"), ("month", "13"),
        ("day", "30"), ("hour", "-1"), ("minute", "60"), ("second", "9223372036854775807"),
    ])
    func `a date the calendar lacks is read from no file`(part: String, number: String) throws {
        let date = try #require(LocalDate(year: 2023, month: 2, day: 28, hour: 7))
        let data = try JSONEncoder().encode(date)
        #expect(try JSONDecoder().decode(LocalDate.self, from: data) == date)
        let text = try String(decoding: data, as: UTF8.self)
            .replacing(Regex("\"\(part)\":[0-9]+"), with: "\"\(part)\":\(number)")
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LocalDate.self, from: Data(text.utf8))
                .instant(secondsFromGMT: 0)
        }
        // No part of it is wrong by itself.
        guard case .dataCorrupted(let context) = error else { throw Unexpected(error) }
        #expect(context.codingPath.isEmpty)
    }

    @Test(arguments: [
        (LocalDate.Precision.second, "2018-08-25 06:04:33"), (.minute, "2018-08-25 06:04"),
        (.day, "2018-08-25"), (.month, "2018-08"), (.year, "2018"),
        (.circa, "circa 2018"),
    ])
    func `the description shows only what is known`(precision: LocalDate.Precision, text: String) {
        let date = LocalDate(
            year: 2018, month: 8, day: 25, hour: 6, minute: 4, second: 33, precision: precision)
        #expect(date?.description == text)
    }
}
