import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

/// A document's folder, and a commit of it where one is meant.
struct DocumentArgument: ExpressibleByArgument {
    var url: URL
    var commit: Int?
    /// The argument as it was written.
    var text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
        url = URL(filePath: argument, directoryHint: .isDirectory)
        // A folder may have an @ in its name.
        guard !FileManager.default.fileExists(atPath: argument),
            let mark = argument.lastIndex(of: "@"), mark > argument.startIndex,
            let number = Int(argument[argument.index(after: mark)...]), number >= 0
        else { return }
        commit = number
        url = URL(filePath: String(argument[..<mark]), directoryHint: .isDirectory)
    }

    /// Reads the document.
    func open() async throws -> DocumentReader {
        let reader = try await Spinner.run("Reading \(text)") {
            try await DocumentReader.open(at: url, commit: commit)
        }
        for finding in reader.recovery.findings { warn(finding.description) }
        return reader
    }
}

/// Where a new document is to be, as a path.
struct NewDocumentArgument: ExpressibleByArgument {
    var url: URL

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        url = URL(filePath: argument, directoryHint: .isDirectory)
    }
}

extension ManagedDocument.Format {
    /// What a person calls it.
    var name: String {
        switch self {
        case .json: "JSON"
        case .xmlPropertyList: "XML property list"
        case .binaryPropertyList: "binary property list"
        }
    }
}
