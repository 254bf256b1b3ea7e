import ArgumentParser
import Foundation
import PlacesKit
import PlacesKitTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures how pictures arrive: through the loader from a server of this process, beside bare
/// `URLSession` tasks that fetch the same with the same parallelism; and how fast memory answers.
struct Thumbnails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetches thumbnails through a loader, beside bare tasks of URLSession.")

    @Option(help: "How many thumbnails there are.")
    var count = 1_000

    @Option(help: "How many transfers run at a time.")
    var parallel = 6

    @Option(help: "How many rounds are run; the median counts.")
    var rounds = 7

    func run() async throws {
        let picture = Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 0x5A, count: 5_997)
        let server = try LoopbackServer { _ in .image(picture) }
        defer { server.stop() }
        let variants = (0..<count).compactMap { number in
            server.url("/\(number).jpg").map { PhotoVariant(name: "q", url: $0, longestEdge: 150) }
        }
        // The first round opens connections and warms caches up.
        var sessions: [Duration] = []
        var loaders: [Duration] = []
        for _ in 0...rounds {
            sessions.append(try await measure { try await fetchBare(variants) })
            loaders.append(try await measure { try await fetchThroughLoader(variants) })
        }
        let session = median(sessions.dropFirst())
        let loader = median(loaders.dropFirst())
        print("thumbnails     \(count) of \(picture.count) bytes, \(parallel) at a time")
        print("  urlsession   \(rate(session)) pictures/s")
        print("  placeskit    \(rate(loader)) pictures/s, \(ratio(session, loader)) times as many")
        print("memory-hit     \(try await memoryHit()) ns")
    }

    /// All pictures by as many loops of `URLSession` tasks as run at a time.
    private func fetchBare(_ variants: [PhotoVariant]) async throws {
        let session = URLSession(configuration: .ephemeral)
        try await withThrowingTaskGroup { group in
            for start in 0..<parallel {
                group.addTask { [parallel] in
                    for index in stride(from: start, to: variants.count, by: parallel) {
                        let (data, _) = try await session.data(from: variants[index].url)
                        guard !data.isEmpty else { throw CancellationError() }
                    }
                }
            }
            try await group.waitForAll()
        }
        session.invalidateAndCancel()
    }

    /// All pictures asked for at once, as rows do.
    private func fetchThroughLoader(_ variants: [PhotoVariant]) async throws {
        let transport = URLSessionTransport(configuration: .ephemeral)
        let loader = ImageLoader(
            sourceName: "Loopback", options: ImageLoader.Options(transfersPerHost: parallel)
        ) { variant in
            try await transport.send(HTTPRequest(url: variant.url)).picture(named: variant.name)
        }
        try await withThrowingTaskGroup { group in
            for (index, variant) in variants.enumerated() {
                group.addTask {
                    let request = ImageRequest(photo: String(index), ladder: [variant])
                    guard try await !loader.image(request).isEmpty else {
                        throw CancellationError()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The nanoseconds that a picture in memory takes, among a thousand.
    private func memoryHit() async throws -> Int {
        let loader = ImageLoader(sourceName: "Memory") { _ in Data([0xFF, 0xD8, 0xFF]) }
        let requests = (0..<1_000).compactMap { number in
            URL(string: "https://example.org/\(number)").map {
                ImageRequest(
                    photo: "5234\(number)8871", ladder: [PhotoVariant(name: "q", url: $0)])
            }
        }
        for request in requests { _ = try await loader.image(request) }
        var bytes = 0
        let clock = ContinuousClock()
        let time = clock.measure {
            for _ in 0..<1_000 {
                for request in requests { bytes += loader.imageInMemory(request)?.count ?? 0 }
            }
        }
        guard bytes == 3_000_000 else { throw CancellationError() }
        return Int(time / .nanoseconds(1) / 1_000_000)
    }

    private func measure(_ work: () async throws -> Void) async throws -> Duration {
        try await ContinuousClock().measure(work)
    }

    private func median(_ durations: ArraySlice<Duration>) -> Duration {
        durations.sorted()[durations.count / 2]
    }

    private func rate(_ duration: Duration) -> Int {
        Int(Double(count) / (duration / .seconds(1)))
    }

    private func ratio(_ one: Duration, _ other: Duration) -> String {
        String(format: "%.2f", one / other)
    }
}
