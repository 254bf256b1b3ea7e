public import ArgumentParser
public import Foundation

/// The option that says where the document is.
public struct DocumentOption: ParsableArguments {
    @Option(
        name: .customLong("document"),
        help: ArgumentHelp(
            "The folder of the document, made if need be.",
            discussion: """
                Without it: placeskit/NAME in XDG_DATA_HOME or ~/.local/share, with something for the \
                source behind NAME unless that is the usual sample world.
                """,
            valueName: "folder"))
    var path: String?

    /// Made by the argument parser.
    public init() {}

    /// The folder that was chosen, or the usual one of a program; that in which it lies is made if asked to.
    public func url(for program: String, isMade: Bool) throws -> URL {
        if let path { return URL(filePath: path, directoryHint: .isDirectory) }
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].flatMap {
                $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory)
            }
            ?? URL.homeDirectory.appending(path: ".local/share", directoryHint: .isDirectory)
        let folder = data.appending(path: "placeskit", directoryHint: .isDirectory)
        if isMade { try make(folder) }
        return folder.appending(path: program, directoryHint: .isDirectory)
    }

    private func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        } catch {
            throw Problem(
                """
                \(folder.path()) cannot be made. Choose another place with --document.
                """)
        }
    }
}
