public import ArgumentParser
import Foundation
public import PlacesKit

/// The options of every command: where photos come from, and where the document is.
public struct LibraryOptions: ParsableArguments {
    @OptionGroup(title: "Source") var source: SourceOptions
    @OptionGroup(title: "Document") var document: DocumentOption

    /// Made by the argument parser.
    public init() {}

    /// Opens a program's library, runs `body`, and closes the library, also after a failure.
    ///
    /// - Throws: What the user should read, and nothing else.
    @MainActor
    public func withLibrary(
        of program: String, _ body: @MainActor (PlacesLibrary) async throws -> Void
    ) async throws {
        Interruption.becomesTidy()
        do {
            let url = try document.url(for: program + source.suffix)
            let library = try await PlacesLibrary.open(at: url, source: try source.makeSource())
            for line in Failure.lines(of: library.document.recovery) { Terminal.note(line) }
            do {
                try await body(library)
            } catch is Quit {
                // All is said.
            } catch {
                // The first failure is the one to tell.
                try? await library.close()
                throw error
            }
            try await library.close()
            try Terminal.finishOutput()
        } catch {
            throw Failure.translated(error)
        }
    }
}
