import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct RecordedTransportTests {
    private static let key = "5ecre7"

    private func request(key: String, page: Int = 1) throws -> HTTPRequest {
        let address = "https://example.org/rest/?page=\(page)&api_key=\(key)&b=%2B"
        return HTTPRequest(url: try #require(URL(string: address)))
    }

    @Test func `a reply is recorded once and replayed for ever, for any key`() async throws {
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { number in
                HTTPResponse(
                    headers: ["Content-Type": "text/plain", "Set-Cookie": Self.key],
                    body: Data("\(number) for \(Self.key)".utf8),
                    url: URL(string: "https://example.org/?api_key=\(Self.key)"))
            }
            let recorder = RecordedTransport(folder: folder, recording: base, secrets: [Self.key])
            _ = try await recorder.send(request(key: Self.key))
            _ = try await recorder.send(request(key: Self.key))
            #expect(base.started == 1)

            let replay = RecordedTransport(folder: folder)
            let response = try await replay.send(request(key: "another"))
            #expect(response.body == Data("1 for -".utf8))
            #expect(response.header("content-type") == "text/plain")
            await #expect(throws: PhotoSourceError.self) {
                try await replay.send(request(key: "another", page: 2))
            }
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let text = try String(
                    contentsOf: folder.appending(path: file), encoding: .utf8)
                #expect(!text.contains(Self.key))
                let body = Data(Self.key.utf8).base64EncodedString().prefix(6)
                #expect(!text.contains(body))
            }
        }
    }

    @Test(.endsWaiting) func `a request is sent once for all who make it at the same time`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let gate = Gate()
            let base = ScriptedTransport { number in
                await gate.wait()
                return HTTPResponse(body: Data("\(number)".utf8))
            }
            let recorder = RecordedTransport(folder: folder, recording: base)
            let request = try request(key: Self.key)
            let tasks = (0..<8).map { _ in Task { try await recorder.send(request).body } }
            try await wait { base.started > 0 }
            // All others have had their turns by then.
            for _ in 0..<50 { await Task.yield() }
            gate.open()
            for task in tasks { #expect(try await task.value == Data("1".utf8)) }
            #expect(base.started == 1)
            #expect(
                try await RecordedTransport(folder: folder).send(request).body == Data("1".utf8))
        }
    }

    @Test(.endsWaiting) func `no request gets what another one of the same recording is told`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let gate = Gate()
            let base = ScriptedTransport { number in
                await gate.wait()
                return HTTPResponse(body: Data("\(number)".utf8))
            }
            let recorder = RecordedTransport(folder: folder, recording: base)
            let plain = try request(key: Self.key)
            var (small, french) = (plain, plain)
            small.bodyLimit = 1
            french.headers["Accept-Language"] = "fr"
            let requests = try [plain, small, french, request(key: "another")]
            let tasks = requests.map { request in
                Task { try await recorder.send(request).body }
            }
            try await wait { base.started == requests.count }
            gate.open()
            var bodies: Set<Data> = []
            for task in tasks { bodies.insert(try await task.value) }
            #expect(bodies.count == requests.count)
            let recorded = try await RecordedTransport(folder: folder).send(plain).body
            #expect(bodies.contains(recorded))
        }
    }

    /// The text of all files in a folder, with their names and decoded bodies.
    private func content(of folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap { file in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let body = text.firstMatch(of: /"body" : "([^"]*)"/)?.1
            let bytes = Data(base64Encoded: String(body ?? "")) ?? Data()
            return [file, text, String(decoding: bytes, as: UTF8.self)]
        }
    }

    @Test(arguments: ["5eCre7+k@y", "5ecre7%2Bk%40y", "5ECRE7%2bK@Y", "%35eCre7%252Bk@y"])
    func `a recording holds the secret in no spelling, nor does the error for one that is missing`(
        spelling: String
    ) async throws {
        try await withTemporaryDirectory { folder in
            let address = "https://example.org/rest/\(spelling)?q=\(spelling)&API_KEY=\(spelling)"
            let url = try #require(URL(string: address))
            let base = ScriptedTransport { _ in
                HTTPResponse(
                    headers: ["Content-Type": "text/plain; for=\(spelling)"],
                    body: Data([0xFF, 0xFE] + "for \(spelling).".utf8), url: url)
            }
            let secrets = ["5eCre7+k@y"]
            let recorder = RecordedTransport(folder: folder, recording: base, secrets: secrets)
            _ = try await recorder.send(HTTPRequest(url: url))
            for text in try content(of: folder) {
                #expect(!text.contains(spelling))
                #expect(!text.lowercased().contains("cre7"))
            }
            let replay = RecordedTransport(folder: folder, secrets: secrets)
            let response = try await replay.send(HTTPRequest(url: url))
            #expect(response.body == Data([0xFF, 0xFE] + "for -.".utf8))
            let other = try #require(URL(string: address + "&page=2"))
            let error = await #expect(throws: PhotoSourceError.self) {
                try await replay.send(HTTPRequest(url: other))
            }
            #expect(!"\(String(reflecting: error))".lowercased().contains("cre7"))
        }
    }

    @Test func `a recording that is missing is an error that asking again cannot mend`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let transport = RecordedTransport(folder: folder)
            let request = HTTPRequest(url: try #require(URL(string: "https://example.org/a?b=1")))
            let error = await #expect(throws: PhotoSourceError.self) {
                try await transport.send(request)
            }
            #expect(error?.isRetryable == false)
            #expect(error?.description.contains("GET https://example.org/a?b=1") == true)
        }
    }

    @Test func `a recording that is damaged is an error that names its file`() async throws {
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { _ in .success }
            let recorder = RecordedTransport(folder: folder, recording: base)
            _ = try await recorder.send(request(key: "k"))
            let name = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
            try Data("{".utf8).write(to: folder.appending(path: name))
            let error = await #expect(throws: PhotoSourceError.self) {
                try await recorder.send(request(key: "k"))
            }
            #expect("\(String(describing: error))".contains(name))
        }
    }

    @Test func `failures to connect are not recorded`() async throws {
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { number in
                if number == 1 { throw PhotoSourceError.notConnected(reason: "test") }
                return .success
            }
            let recorder = RecordedTransport(folder: folder, recording: base)
            await #expect(throws: PhotoSourceError.self) {
                try await recorder.send(request(key: "k"))
            }
            let response = try await recorder.send(try request(key: "k"))
            #expect(response.status == 200)
        }
    }

    @Test(arguments: [408, 429, 503])
    func `a reply of a server that is busy is not recorded, so that asking again mends it`(
        status: Int
    ) async throws {
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { number in
                number == 1 ? HTTPResponse(status: status, body: Data()) : .success
            }
            let recorder = RecordedTransport(folder: folder, recording: base)
            let request = try request(key: "k")
            #expect(try await recorder.send(request).status == status)
            #expect(try await recorder.send(request).status == 200)
            let replay = RecordedTransport(folder: folder)
            #expect(try await replay.send(request).status == 200)
        }
    }

    @Test(arguments: [400, 404, 410])
    func `a reply that would be the same again is recorded`(status: Int) async throws {
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { _ in HTTPResponse(status: status, body: Data()) }
            let recorder = RecordedTransport(folder: folder, recording: base)
            let request = try request(key: "k")
            _ = try await recorder.send(request)
            #expect(try await recorder.send(request).status == status)
            #expect(base.started == 1)
        }
    }

    @Test(arguments: [
        "access_token", "API_KEY", "api_sig", "apikey", "auth_token", "key", "oauth_signature",
        "oauth%5Ftoken", "secret", "sig", "signature", "token",
    ])
    func `a key that nobody named is not recorded, not even where the server repeats it`(
        parameter: String
    ) async throws {
        try await withTemporaryDirectory { folder in
            let secret = "5ecre7key+"
            let address = "https://ada:5ecre7word@example.org/echo?a=1&\(parameter)=5ecre7key%2B"
            let url = try #require(URL(string: address))
            let base = ScriptedTransport { _ in
                HTTPResponse(
                    headers: ["Content-Type": "text/plain; \(secret)"],
                    body: Data("\(secret) at \(address)".utf8), url: url)
            }
            let recorder = RecordedTransport(folder: folder, recording: base)
            let response = try await recorder.send(HTTPRequest(url: url))
            #expect(response.body == Data("\(secret) at \(address)".utf8))
            for text in try content(of: folder) {
                #expect(!text.contains("5ecre7"))
            }
            let other = try #require(URL(string: "https://example.org/echo?a=1"))
            let replay = RecordedTransport(folder: folder)
            let replayed = try await replay.send(HTTPRequest(url: other))
            #expect(String(decoding: replayed.body, as: UTF8.self).hasPrefix("- at https://"))
            #expect(replayed.url == other)
            #expect(!"\(HTTPResponse(body: Data(), url: url))".contains("5ecre7"))
        }
    }

    @Test func `a short value of a parameter leaves replies as they are`() async throws {
        try await withTemporaryDirectory { folder in
            let body = Data("a key of test".utf8)
            let base = ScriptedTransport { _ in HTTPResponse(body: body) }
            let recorder = RecordedTransport(folder: folder, recording: base)
            let request = try request(key: "test")
            _ = try await recorder.send(request)
            #expect(try await recorder.send(request).body == body)
        }
    }

    @Test func `faults come in order, the last for ever`() async throws {
        let base = ScriptedTransport { _ in HTTPResponse(body: Data("abcdef".utf8)) }
        let clock = ManualClock(isImmediate: true)
        let error = PhotoSourceError.notConnected(reason: "test")
        let faulty = FaultyTransport(
            base,
            faults: [
                .latency(.seconds(3)), .error(error), .replacement(Data("x".utf8)),
                .truncation(2),
            ], clock: clock)
        #expect(try await faulty.send(.numbered(1)).body == Data("abcdef".utf8))
        #expect(clock.sleeps == [.seconds(3)])
        await #expect(throws: error) { try await faulty.send(.numbered(1)) }
        #expect(try await faulty.send(.numbered(1)).body == Data("x".utf8))
        #expect(try await faulty.send(.numbered(1)).body == Data("ab".utf8))
        #expect(try await faulty.send(.numbered(1)).body == Data("ab".utf8))
    }
}
