import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetches recent photos, once or again and again.")

    @Option(help: "How many photos to ask for.") var limit = 250
    @Option(
        help:
            "Fetch again and again: how many seconds after the last fetch, of whatever run, the next is."
    )
    var every: Int?
    @Flag(help: "Write JSON; with --every, an object a line.") var json = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
        guard (1...10_000_000).contains(every ?? 1) else {
            throw ValidationError("--every must be between 1 and 10000000 seconds.")
        }
    }

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopRegions.name) { library in
            guard let every else {
                return try report(.success(try await library.fetchVisibly(limit: limit)))
            }
            Terminal.note("Fetching every \(every.counted("second")); stop with Ctrl-C.")
            try await library.fetchRecentPhotos(every: .seconds(every), limit: limit) { result in
                try report(result)
                // Whoever reads a pipe wants to know now; if nobody can any more, this ends.
                try Terminal.finishOutput()
            }
        }
    }

    private func report(_ result: Result<PlacesLibrary.RecentFetch, any Error>) throws {
        switch result {
        case .success(let fetch):
            if json {
                try JSONOutput.write(FetchOutput(fetch), inOneLine: every != nil)
            } else {
                print(fetch.words)
            }
            if let failure = fetch.namingFailure { Terminal.note(Failure.message(of: failure)) }
        case .failure(let error):
            if json { try JSONOutput.write(FetchOutput(error), inOneLine: true) }
            Terminal.note(Failure.message(of: error))
        }
    }
}

/// What scripts learn of a fetch.
private struct FetchOutput: Encodable {
    var newPhotos = 0
    var knownPhotos = 0
    var namedPlaces = 0
    let problem: String?

    init(_ error: any Error) { problem = Failure.message(of: error) }

    init(_ fetch: PlacesLibrary.RecentFetch) {
        newPhotos = fetch.newPhotos
        knownPhotos = fetch.knownPhotos
        namedPlaces = fetch.namedPlaces
        problem = fetch.namingFailure.map { Failure.message(of: $0) }
    }
}

extension PlacesLibrary.RecentFetch {
    /// What came of it, as a person reads it.
    var words: String {
        guard newPhotos + knownPhotos > 0 else {
            return "There are no recent photos that say where they were taken."
        }
        guard hasNewData else {
            return "Nothing new: \(knownPhotos.counted("photo")) known before."
        }
        return "\(newPhotos.counted("new photo")), \(knownPhotos) known; "
            + "found the regions of \(namedPlaces.counted("place"))."
    }
}

@MainActor extension PlacesLibrary {
    func fetchVisibly(limit: Int = 250) async throws -> RecentFetch {
        try await Spinner.run("Fetching recent photos from \(source.name)") {
            try await fetchRecentPhotos(limit: limit)
        }
    }
}
