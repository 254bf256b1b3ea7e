import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetches recent photos, once or again and again.")

    @Option(help: "How many photos to ask for.") var limit = 250
    @Option(help: "How many seconds to wait before each further fetch; without it, there is none.")
    var every: Int?
    @Flag(help: "Write JSON.") var json = false
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
            try await library.fetchRecentPhotos(every: .seconds(every), limit: limit) { result in
                try? report(result)
                // Whoever reads a pipe wants to know now.
                fflush(nil)
            }
        }
    }

    private func report(_ result: Result<PlacesLibrary.RecentFetch, any Error>) throws {
        switch result {
        case .success(let fetch):
            guard !json else { return try JSONOutput.write(FetchOutput(fetch)) }
            print(fetch.words)
            if let failure = fetch.namingFailure { Terminal.note(Failure.message(of: failure)) }
        case .failure(let error): Terminal.note(Failure.message(of: error))
        }
    }
}

/// What scripts learn of a fetch.
private struct FetchOutput: Encodable {
    let newPhotos: Int
    let knownPhotos: Int
    let namedPlaces: Int
    let problem: String?

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
        hasNewData
            ? "\(newPhotos) new photos, \(knownPhotos) known; found the regions of \(namedPlaces) places."
            : "Nothing new: all \(knownPhotos) photos were known."
    }
}

@MainActor extension PlacesLibrary {
    func fetchVisibly(limit: Int = 250) async throws -> RecentFetch {
        try await Spinner.run("Fetching recent photos from \(source.name)") {
            try await fetchRecentPhotos(limit: limit)
        }
    }
}
