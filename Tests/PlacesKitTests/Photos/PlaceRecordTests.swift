import PlacesKit
import Testing

@Suite struct PlaceRecordTests {
    struct Split: Sendable {
        let name: String
        let title: String
        let subtitle: String
        let section: String
    }

    static let splits = [
        Split(
            name: "London, England, United Kingdom", title: "London", subtitle: "England",
            section: "United Kingdom"),
        Split(
            name: "Hunters Point, New York, NY, US, United States", title: "Hunters Point",
            subtitle: "New York, NY, US", section: "United States"),
        Split(
            name: "Camden Town, London, England, UK", title: "Camden Town",
            subtitle: "London, England", section: "UK"),
        Split(name: "Reykjavík, Iceland", title: "Reykjavík", subtitle: "", section: "Iceland"),
        Split(name: "Singapore", title: "Singapore", subtitle: "", section: "Singapore"),
        Split(
            name: "San Francisco,", title: "San Francisco", subtitle: "", section: "San Francisco"),
        Split(name: "", title: "Unknown", subtitle: "", section: "Unknown"),
        Split(name: " , ,", title: "Unknown", subtitle: "", section: "Unknown"),
        Split(name: "京都市, 京都府, 日本", title: "京都市", subtitle: "京都府", section: "日本"),
        Split(name: "京都市、京都府、日本", title: "京都市", subtitle: "京都府", section: "日本"),
        Split(name: "القاهرة، مصر", title: "القاهرة", subtitle: "", section: "مصر"),
        Split(
            name: "  Bern ,\tBern ,  Schweiz ", title: "Bern", subtitle: "Bern", section: "Schweiz"),
    ]

    @Test(arguments: splits)
    func `a name of any number of parts has a title and a section`(split: Split) {
        let place = PlaceRecord(identifier: "1", name: split.name)
        #expect(place.title == split.title)
        #expect(place.subtitle == split.subtitle)
        #expect(place.section == split.section)
    }

    @Test func `a name of one part names no country`() {
        #expect(PlaceRecord(identifier: "1", name: "Singapore").country == nil)
        #expect(PlaceRecord(identifier: "1", name: "Oslo, Norway").country == "Norway")
    }

    @Test func `the full name of place names splits back into them`() {
        let names = PlaceNames(locality: "Köln", region: "", country: "Deutschland")
        #expect(names.fullName == "Köln, Deutschland")
        #expect(PlaceRecord(identifier: "1", name: names.fullName).section == "Deutschland")
    }
}
