import ArgumentParser
import Foundation
import NIOCore
import PlacesKit
import WebSupport

/// Measures how soon many browsers hear of changes of one long list, on this machine.
@main
struct WebLive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web-live",
        abstract:
            "Measures how soon the streams of many browsers tell of changes of one long list.",
        discussion: """
            One browser posts each change; the time runs from when it is posted until its event has come. Server \
            and browsers are in this one process.
            """)

    @Option(help: "How many browsers follow the list.") var browsers = 100
    @Option(help: "How many rows the list has.") var rows = 10_000
    @Option(help: "How many changes a second are posted.") var changes = 100
    @Option(help: "For how many seconds.") var seconds = 30
    @Option(help: "A file to write the figures to, as JSON.") var json: String?

    func validate() throws {
        guard (1...900).contains(browsers), rows > 0, (1...1_000).contains(changes), seconds > 0
        else {
            throw ValidationError(
                "Up to 900 browsers and 1,000 changes a second; all of them numbers from 1.")
        }
    }

    @MainActor
    func run() async throws {
        let server = WebServer(try LiveSite(rows: rows), host: "127.0.0.1", port: 0)
        let (addresses, ready) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await server.run { ready.yield($0) }
                ready.finish()
            }
            for await address in addresses {
                try await measure(URL(string: address)?.port ?? 0)
                // The server ends as when somebody stops it.
                kill(getpid(), SIGTERM)
            }
        }
    }

    private func measure(_ port: Int) async throws {
        let crowd = try await Crowd(browsers, port: port)
        try await crowd.settle()
        let (memory, processor) = (Usage.memory, Usage.processorTime)
        let arrivals = try await crowd.post(
            changes * seconds, every: .nanoseconds(Int64(1_000_000_000 / changes)))
        let report = Report(
            browsers: browsers, rows: rows, changes: changes * seconds, seconds: seconds,
            latencies: arrivals.sorted(), memoryBefore: memory, memoryAfter: Usage.memory,
            memoryPeak: Usage.peakMemory, processorTime: Usage.processorTime - processor)
        print(report)
        if let json { try report.json().write(to: URL(filePath: json)) }
        guard arrivals.count == browsers * changes * seconds else { throw ExitCode.failure }
    }
}
