import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Which models the commits of a shared log may have been made with.
@Suite struct CommitOriginTests {
    final class Plain: ManagedObject {
        @Attribute(.indexed) var n = 0
    }

    private func check(_ text: String) throws {
        let model = CommitOrigin.Model(try ObjectModel([Plain.self]).schema)
        let found = try #require(CommitOrigin.Model(text))
        try found.check(against: model, in: "a commit", FilePath("/Photos"))
    }

    /// Of `[{"name":"Plain","properties":[{"name":"n","type":"int64","indexed":true}]}]`, and the same without the index.
    @Test(arguments: ["1-df8570cc", "1-704b078d"])
    func `a commit may tell the model as earlier versions did`(text: String) throws {
        try check(text)
    }

    @Test(arguments: ["2-df8570cc", "1-00000000", "1-"])
    func `a commit of another model is refused`(text: String) {
        #expect(throws: DocumentError.self) { try check(text) }
    }
}
