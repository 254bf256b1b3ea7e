import ExampleSupport
import Foundation
import NIOCore
import PlacesKit
import WebSupport

/// A document that is read again when another program has changed it.
actor LiveDocument {
    /// The document as it was read once.
    struct Edition: Sendable {
        /// Counts the readings.
        let number: Int
        let reader: DocumentReader
    }

    /// What pages are told when the document was read again.
    private struct Event: Encodable {
        var edition: Int
        /// Why it cannot be read any more.
        var failure: String?
    }

    /// How often the files are looked at.
    private static let interval = Duration.milliseconds(250)

    /// The document as it was read last.
    private(set) var edition: Edition
    nonisolated let url: URL
    private var marks: FileMarks
    private var failure: String?
    private var streams: [ObjectIdentifier: EventStream] = [:]

    private init(_ reader: DocumentReader, _ marks: FileMarks) {
        (edition, url, self.marks) = (Edition(number: 1, reader: reader), reader.url, marks)
    }

    /// Reads a document.
    static func open(at url: URL) async throws -> LiveDocument {
        // Before it is read: what is saved meanwhile is read afterwards.
        let marks = FileMarks(of: url)
        return LiveDocument(try await DocumentReader.open(at: url), marks)
    }

    // MARK: - Staying current

    /// Reads the document again whenever its files have changed, as long as anybody looks.
    func keepCurrent() async {
        while !Task.isCancelled {
            let start = ContinuousClock.now
            if !streams.isEmpty { await readAgain() }
            // A writer that never rests leaves half of the time to those who ask.
            try? await Task.sleep(for: max(Self.interval, .now - start))
        }
    }

    private func readAgain() async {
        let found = FileMarks(of: url)
        guard found != marks else { return }
        marks = found
        do {
            let reader = try await DocumentReader.open(at: url)
            edition = Edition(number: edition.number + 1, reader: reader)
            failure = nil
        } catch {
            failure = Failure.message(of: error)
        }
        let event = event
        for stream in streams.values { stream.send(event) }
    }

    private var event: ByteBuffer {
        EventFrame.event(Event(edition: edition.number, failure: failure))
    }

    // MARK: - Who looks

    /// Tells a page of changes from now on, and first of what it may have missed.
    func join(_ stream: EventStream) {
        streams[ObjectIdentifier(stream)] = stream
        stream.send(event)
    }

    func leave(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = nil }
}
