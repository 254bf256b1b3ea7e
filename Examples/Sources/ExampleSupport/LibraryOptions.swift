public import ArgumentParser
import Foundation
public import PlacesKit

/// The options of every command: where photos come from, where the document is, how pictures are shown.
public struct LibraryOptions: ParsableArguments {
    @OptionGroup(title: "Source") var source: SourceOptions
    @OptionGroup(title: "Document") var document: DocumentOption
    @OptionGroup var pictures: PictureOption

    /// Made by the argument parser.
    public init() {}

    /// What a command opens a program's library for.
    public enum Purpose {
        /// To change it, which one process does at a time.
        case change
        /// To show what is in it, also while another process changes it. No file is made or changed.
        case show
        /// To keep what it loads for showing it; while another process changes the library, to show what
        /// is there, and to tell of that process where nothing is.
        case loadAndShow
    }

    /// Opens a program's library, runs `body`, and closes the library, also after a failure.
    ///
    /// - Throws: What the user should read, and nothing else.
    @MainActor
    public func withLibrary(
        of program: String, to purpose: Purpose = .change,
        _ body: @MainActor (PlacesLibrary) async throws -> Void
    ) async throws {
        Interruption.becomesTidy()
        do {
            let (library, refusal) = try await open(program, to: purpose)
            Interruption.library = library
            defer { Interruption.library = nil }
            for line in Failure.lines(of: library.document.recovery) { Terminal.note(line) }
            do {
                try await Terminal.$pictureChoice.withValue(pictures.pictures) {
                    try await body(library)
                }
            } catch is Quit {
                // All is said.
            } catch {
                // The first failure is the one to tell.
                try? await library.close()
                // What cannot be changed here is not read-only to the user, but another process's.
                if case DocumentError.readOnly = error, let refusal { throw refusal }
                throw error
            }
            try await library.close()
            try Terminal.finishOutput()
        } catch {
            throw Failure.translated(error)
        }
    }

    /// Opens a program's library, and tells why it is only read where it might be changed.
    @MainActor
    private func open(
        _ program: String, to purpose: Purpose
    ) async throws -> (PlacesLibrary, refusal: DocumentError?) {
        let url = try document.url(for: program + source.suffix, isMade: purpose != .show)
        let source = try source.makeSource()
        var options = PlacesLibrary.Options()
        options.document.isReadOnly = purpose == .show
        do {
            return (try await PlacesLibrary.open(at: url, source: source, options: options), nil)
        } catch let error as DocumentError {
            guard case .locked = error, purpose == .loadAndShow else { throw error }
            options.document.isReadOnly = true
            return (try await PlacesLibrary.open(at: url, source: source, options: options), error)
        }
    }
}
