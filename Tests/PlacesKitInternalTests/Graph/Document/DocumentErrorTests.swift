import PlacesKit
import Testing

@testable import PlacesGraph

/// What becomes of errors that nobody gave the name of a file.
@Suite struct DocumentErrorTests {
    private struct Unknown: Error {}

    @Test func `an error of any type is one of the document, and stops no program`() {
        let json = JSONError(
            kind: .invalidValue(expected: "a number"), line: 2, column: 3, byteOffset: 4)
        guard case .damaged(_, let found) = DocumentError(json) else {
            Issue.record("\(DocumentError(json))")
            return
        }
        #expect(found == json)
        let unknown = DocumentError(Unknown())
        #expect(unknown.description.contains("what can be read, not Unknown()"))
    }
}
