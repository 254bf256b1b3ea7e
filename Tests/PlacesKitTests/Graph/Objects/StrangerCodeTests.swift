import Foundation
import PlacesKit
import Testing

/// What code means that has nothing to do with the library, in a file that imports it.
@Suite struct StrangerCodeTests {
    enum Mood: String, AttributeValue { case calm, wild }

    @Test func `an initialiser without its label is that of the standard library`() {
        let numbers: [Int64] = [5, 300]
        #expect(numbers.map(UInt.init) == [5, 300])
        #expect(numbers.map(UInt64.init) == [5, 300])
        #expect(numbers.map(Int.init) == [5, 300])
        #expect(numbers.map(Double.init) == [5, 300])
        #expect(numbers.map(String.init) == ["5", "300"])
        #expect([Int64(5)].map(Int8.init) == [5])
        #expect(Optional(Int64(300)).map(UInt.init) == 300)
        #expect([1.5, 2].map(Float.init) == [1.5, 2])
        #expect(["calm", "x"].compactMap(Mood.init) == [.calm])
        #expect(zip(["/a"], [true]).map(URL.init).first?.path() == "/a/")
    }
}
