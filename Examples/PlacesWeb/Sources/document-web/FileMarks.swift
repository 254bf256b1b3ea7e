import Foundation

/// What tells, without reading them, whether the files of a document have changed.
struct FileMarks: Equatable {
    private struct Mark: Equatable {
        var size: UInt64
        var modified: Date
        /// The number of the file, which is another after it was replaced.
        var number: UInt64
    }

    private var marks: [String: Mark] = [:]

    /// Looks at the manifest and the journals in a folder; each commit changes one of them.
    init(of folder: URL) {
        let files = FileManager.default
        let path = folder.path(percentEncoded: false)
        for name in (try? files.contentsOfDirectory(atPath: path)) ?? []
        where name.hasPrefix("manifest") || name.hasPrefix("journal-") {
            let file = folder.appending(path: name).path(percentEncoded: false)
            guard let found = try? files.attributesOfItem(atPath: file) else { continue }
            marks[name] = Mark(
                size: (found[.size] as? NSNumber)?.uint64Value ?? 0,
                modified: found[.modificationDate] as? Date ?? .distantPast,
                number: (found[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0)
        }
    }
}
