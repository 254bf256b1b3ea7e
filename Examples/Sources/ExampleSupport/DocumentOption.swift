public import ArgumentParser
public import Foundation

/// The option that says where the document is.
public struct DocumentOption: ParsableArguments {
    @Option(
        name: .customLong("document"),
        help: ArgumentHelp(
            "The folder of the document, made if need be.",
            discussion: """
                Without it: placeskit/NAME in $XDG_DATA_HOME, or in $HOME/.local/share where that is \
                not set to an absolute path, with something for the source behind NAME unless that is \
                the usual sample world.
                """,
            valueName: "folder"))
    var path: String?

    /// Made by the argument parser.
    public init() {}

    /// Refuses an empty path, as of a variable that is not set, which would be the folder where one is.
    public func validate() throws {
        guard path != "" else {
            throw ValidationError("--document is empty. Give a folder, or leave it out.")
        }
    }

    /// The folder that was chosen, or the usual one of a program; that in which it lies is made if asked to.
    public func url(for program: String, isMade: Bool) throws -> URL {
        if let path { return URL(filePath: path, directoryHint: .isDirectory) }
        let folder = Self.usualFolder
        if isMade { try Self.make(folder) }
        return folder.appending(path: program, directoryHint: .isDirectory)
    }

    /// The folder in which all programs have their documents, unless they are told otherwise.
    public static var usualFolder: URL {
        let data =
            directory(named: "XDG_DATA_HOME")
            ?? (directory(named: "HOME") ?? URL.homeDirectory)
            .appending(path: ".local/share", directoryHint: .isDirectory)
        return data.appending(path: "placeskit", directoryHint: .isDirectory)
    }

    /// The directory that a variable of the environment names; a relative one names none, as the XDG Base
    /// Directory Specification has it.
    private static func directory(named variable: String) -> URL? {
        guard let path = ProcessInfo.processInfo.environment[variable], path.hasPrefix("/")
        else { return nil }
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Makes a folder for documents, unless it is there.
    ///
    /// - Throws: What the user should read.
    public static func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
        } catch {
            throw Problem(
                """
                \(folder.path(percentEncoded: false)) cannot be made. Choose another place with \
                --document.
                """)
        }
    }
}
