import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

#if os(Linux) || os(macOS)
    /// Many requests over real sockets, each suite in a process of its own so that descriptors can be counted.
    ///
    /// `PLACESKIT_STRESS` sets how many; the checks run 10,000.
    @Suite struct NetworkStressTests {
        @Test func `requests with 64 in flight are all answered in kind, and nothing leaks`() async
        {
            await #expect(processExitsWith: .success) {
                let count = StressRun.count
                let run = try StressRun()
                let answered = try await run.measuringDescriptors {
                    try await run.answers(to: count, inFlight: 64)
                }
                #expect(answered == Array(0..<count))
                #expect(run.server.requestCount == count + 64)
            }
        }

        @Test func `requests that are started and cancelled end, and nothing leaks`() async {
            await #expect(processExitsWith: .success) {
                let count = StressRun.count
                let run = try StressRun()
                let ended = try await run.measuringDescriptors {
                    try await run.cancellations(of: count, inFlight: 64)
                }
                #expect(ended == count)
            }
        }
    }

    /// A loopback server, a transport, and what they do together.
    private struct StressRun: Sendable {
        static let count =
            ProcessInfo.processInfo.environment["PLACESKIT_STRESS"].flatMap { Int($0) } ?? 500

        let server: LoopbackServer
        let transport = CoalescingTransport(URLSessionTransport())

        init() throws {
            server = try LoopbackServer { request in
                let number = request.queryValue("n").flatMap { Int($0) } ?? 0
                let reply = LoopbackReply(body: Data("\(number)".utf8))
                return number % 7 == 3 ? reply.inPieces(of: 40, every: .milliseconds(1)) : reply
            }
        }

        private func reply(_ number: Int) async throws -> Int? {
            guard let url = server.url("/?n=\(number)") else { return nil }
            let response = try await transport.send(HTTPRequest(url: url))
            return Int(String(decoding: response.body, as: UTF8.self))
        }

        /// The numbers that came back, each beside the one that was asked for, in order.
        func answers(to count: Int, inFlight: Int) async throws -> [Int] {
            try await withThrowingTaskGroup(of: (Int, Int?).self) { group in
                var answers = [Int?](repeating: nil, count: count)
                for number in 0..<count {
                    if number >= inFlight, let (asked, answer) = try await group.next() {
                        answers[asked] = answer
                    }
                    group.addTask { (number, try await reply(number)) }
                }
                for try await (asked, answer) in group { answers[asked] = answer }
                return answers.compactMap { $0 }
            }
        }

        /// How many requests ended with a reply or with `CancellationError`.
        func cancellations(of count: Int, inFlight: Int) async throws -> Int {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                var ended = 0
                for number in 0..<count {
                    if number >= inFlight, try await group.next() == true { ended += 1 }
                    group.addTask {
                        let task = Task { try await reply(number) }
                        for _ in 0..<(number % 50) { await Task.yield() }
                        task.cancel()
                        do {
                            return try await task.value == number
                        } catch {
                            return error is CancellationError
                        }
                    }
                }
                for try await hasEnded in group where hasEnded { ended += 1 }
                return ended
            }
        }

        /// Runs some work, and fails if more descriptors or transfers are open after it than a session keeps for
        /// later.
        func measuringDescriptors<Value>(_ work: () async throws -> Value) async throws -> Value {
            _ = try await answers(to: 64, inFlight: 64)
            try await settle(below: 64)
            let before = Self.openDescriptors - server.openConnectionCount * 2
            let transfersBefore = transport.transferCount
            let offset = server.requestCount
            let value = try await work()
            try await settle(below: 200)
            let after = Self.openDescriptors - server.openConnectionCount * 2
            #expect(transfersBefore == 0)
            #expect(transport.transferCount == 0)
            #expect(after <= before + 8, "\(before) descriptors before, \(after) after")
            #expect(offset == 64)
            return value
        }

        /// Waits until the server has noticed which connections are gone.
        private func settle(below count: Int) async throws {
            for _ in 0..<200 where server.openConnectionCount > count || transport.transferCount > 0
            {
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        private static var openDescriptors: Int {
            let folder =
                FileManager.default.fileExists(atPath: "/proc/self/fd")
                ? "/proc/self/fd" : "/dev/fd"
            return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
    }
#endif
