import PlacesKit
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

/// The properties of a packet, whole or not.
@Suite struct XMPPropertiesTests {
    @Test func `a packet cut off anywhere gives what precedes the cut`() throws {
        let bytes = Array(XMPTests.packet.utf8)
        for count in 0...bytes.count {
            let properties = XMPProperties(bytes[..<count])
            let title = properties["dc:title"]
            #expect(title.isEmpty || title.hasPrefix("A"), "cut after \(count)")
        }
    }

    @Test func `nesting without end is read in a straight line`() {
        let deep = String(repeating: "<a>", count: 100_000) + "text"
        #expect(XMPProperties(Array(deep.utf8)[...])["a"] == "text")
        let closed = deep + String(repeating: "</a>", count: 100_000) + "<dc:title>t</dc:title>"
        #expect(XMPProperties(Array(closed.utf8)[...])["dc:title"] == "t")
    }

    @Test func `texts within many elements, and default ones, are read in a straight line`() {
        let head = "<dc:subject>" + String(repeating: "<rdf:li xml:lang='x-default'>", count: 63)
        let texts = (0..<30_000).map { "\($0)" }
        let packet = Array((head + texts.joined(separator: "<!>")).utf8)
        #expect(XMPProperties(packet[...]).all("dc:subject") == texts)
    }
}
