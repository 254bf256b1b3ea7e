import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents of another model, or of another time.
@Suite struct DocumentModelTests {
    // MARK: - Formats

    @Test(arguments: ["manifest.json", "snapshot-1.json"])
    func `a newer format is told, whatever else has changed in it`(name: String) async throws {
        try await withTemporaryDirectory { url in
            let folder = DocumentFolder(url: url)
            try await DocumentModel.open(url).close()
            for text in [#"{"placeskit":7}"#, #"{"placeskit":7,"entities":5,"generation":"x"}"#] {
                try Data(text.utf8).write(to: folder[name])
                let error = await #expect(throws: DocumentError.self) {
                    try await DocumentModel.open(url)
                }
                let newest = name == "manifest.json" ? 2 : 1
                guard case .newerFormat(let file, found: 7, supported: newest)? = error
                else { throw Unexpected(error) }
                #expect(file == folder[name].path(percentEncoded: false))
                #expect(error?.description.contains("Update PlacesKit") == true)
                #expect(try Data(contentsOf: folder[name]) == Data(text.utf8))
            }
            try Data(#"{"placeskit":0}"#.utf8).write(to: folder[name])
            let error = await #expect(throws: DocumentError.self) {
                try await DocumentModel.open(url)
            }
            guard case .damaged? = error else { throw Unexpected(error) }
        }
    }

    @Test(arguments: [
        #"{"placeskit":1,"generation":1,"snapshot":"lock"}"#,
        #"{"placeskit":1,"generation":1,"snapshot":"../snapshot-1.json"}"#,
        #"{"placeskit":1,"generation":1,"snapshot":"snapshot-2.json"}"#,
        #"{"placeskit":1,"generation":-1,"snapshot":"snapshot--1.json"}"#,
        #"{"placeskit":1,"generation":9223372036854775807,"snapshot":"snapshot-9223372036854775807.json"}"#,
        #"{"placeskit":1,"generation":1}"#, #"{"generation":1,"snapshot":"snapshot-1.json"}"#, "[]",
        "",
    ])
    func `a manifest that names no snapshot of its generation is damaged`(
        text: String
    ) async throws {
        try await withTemporaryDirectory { url in
            try await DocumentModel.open(url).close()
            try Data(text.utf8).write(to: DocumentFolder(url: url)["manifest.json"])
            let error = await #expect(throws: DocumentError.self) {
                try await DocumentModel.open(url)
            }
            guard case .damaged? = error else { throw Unexpected(error) }
        }
    }

    @Test func `a snapshot that the manifest names and that is missing is told`() async throws {
        try await withTemporaryDirectory { url in
            try await DocumentModel.open(url).close()
            let file = try DocumentFolder(url: url).snapshot
            try FileManager.default.removeItem(at: file)
            let error = await #expect(throws: DocumentError.self) {
                try await DocumentModel.open(url)
            }
            guard case .incomplete(file.path(percentEncoded: false))? = error
            else { throw Unexpected(error) }
        }
    }
}
