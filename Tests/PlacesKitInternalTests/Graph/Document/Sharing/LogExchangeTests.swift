import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// When a log is asked for what others committed.
@Suite struct LogExchangeTests {
    /// A log that gives two commits at a time, and counts how often it is asked.
    private final class ShortPages: LogRelay {
        let log: any SharedLog
        let askedCount = Counter()

        init(_ log: any SharedLog) { self.log = log }

        func commits(after number: Int) async throws -> [SharedCommit] {
            askedCount.count()
            return Array(try await log.commits(after: number).prefix(2))
        }
    }

    private let log = MemorySharedLog()

    private func open(_ log: any SharedLog) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: URL(filePath: "/Queue", directoryHint: .notDirectory), model: QueueModel.types,
            options: .exchangedByHand(), sharing: log, files: CrashingFiles())
    }

    private nonisolated(nonsending) func share(_ codes: Range<Int>, by member: ManagedDocument)
        async throws
    {
        for code in codes {
            QueueModel.Job(context: member.viewContext).code = "job \(code)"
            try member.viewContext.save()
        }
        try await member.sharing?.synchronize()
    }

    @Test(arguments: [nil, 10]) func `all that a log tells of comes, however short its pages are`(
        number: Int?
    ) async throws {
        let other = try await open(log.connection())
        let pages = ShortPages(log.connection())
        let member = try await open(pages)
        let exchange = LogExchange(pages, member.writer, try #require(member.writer.outbox))
        try await exchange.exchange(isAsked: true)
        try await share(0..<10, by: other)
        let asked = pages.askedCount.value
        try await exchange.exchange(isAsked: false)
        #expect(pages.askedCount.value == asked, "it was told of nothing")
        #expect(exchange.note(number))
        try await exchange.exchange(isAsked: false)
        #expect(try member.store.content() == other.store.content())
        // Who knows the last number asks for no more.
        #expect(pages.askedCount.value == asked + (number == nil ? 6 : 5))
        #expect(!exchange.note(10))
    }

    @Test func `who has something to add gets all that came before, however short the pages are`()
        async throws
    {
        let other = try await open(log.connection())
        let member = try await open(ShortPages(log.connection()))
        try await member.sharing?.synchronize()
        try await share(0..<10, by: other)
        // The others have the code by now, and the same text.
        QueueModel.Job(context: member.viewContext).code = "job 0"
        try member.viewContext.save()
        try await member.sharing?.synchronize()
        try await other.sharing?.synchronize()
        #expect(try member.store.content() == other.store.content())
    }
}
