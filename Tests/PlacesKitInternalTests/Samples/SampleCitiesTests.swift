import Foundation
import PlacesKit
import Testing

@testable import PlacesSamples

@Suite struct SampleCitiesTests {
    @Test func `every line of the table of cities is a city`() {
        #expect(SampleCities.all.count == SampleCities.table.split(separator: "\n").count)
        #expect(SampleCities.all.count == 126)
        #expect(SampleCities.all.allSatisfy { $0.coordinate.isValid && !$0.name.isEmpty })
        #expect(Set(SampleCities.all.map(\.name)).count == SampleCities.all.count)
        let partCounts = Set(SampleCities.all.map { $0.name.components(separatedBy: ", ").count })
        #expect(partCounts == [1, 2, 3, 4])
    }
}
