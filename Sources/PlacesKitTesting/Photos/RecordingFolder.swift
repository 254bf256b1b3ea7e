import Foundation
import PlacesKit
import Synchronization

/// A folder of recordings; each file contains a question and its answer.
struct RecordingFolder<Answer: Codable>: Sendable {
    private struct Recording: Codable {
        let question: String
        let answer: Answer
    }

    let url: URL

    /// The answer to a question; nil if it was not recorded.
    func answer(to question: String, _ name: RecordingName) throws -> Answer? {
        for name in [name.plain, name.unique] {
            if let recording = try recording(name), recording.question == question {
                return recording.answer
            }
        }
        return nil
    }

    /// The error for a question whose answer was not recorded; it cannot be retried.
    func missing(_ question: String, _ name: RecordingName) -> PhotoSourceError {
        .unavailable(
            reason: .unreadable(
                provider: "The recording \(name.plain)",
                reason: "There is none of \(question) in \(url.path(percentEncoded: false)); "
                    + "make it once with what is to be recorded."))
    }

    /// Records an answer, under a name that no recording of another question has.
    func record(_ answer: Answer, to question: String, _ name: RecordingName) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(Recording(question: question, answer: answer))
        try recordingLock.withLock { _ in
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let other = try recording(name.plain).map { $0.question != question } ?? false
            let file = url.appending(path: other ? name.unique : name.plain)
            try data.write(to: file, options: .atomic)
        }
    }

    /// The recording with a name; nil if there is none.
    private func recording(_ name: String) throws -> Recording? {
        let file = url.appending(path: name)
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
            return nil
        }
        do {
            return try JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
        } catch {
            throw PhotoSourceError.unavailable(
                reason: .unreadable(
                    provider: "The recording \(name)",
                    reason: "It is damaged, or may not be read; remove it, so that it is made anew."
                ))
        }
    }
}

/// Prevents two recordings of one process from choosing the same name at the same time.
private let recordingLock = Mutex(())
