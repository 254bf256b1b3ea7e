import Foundation
import PlacesPhotos
import Synchronization

/// What a source told of photos whose pictures' addresses led nowhere, for a while.
final class SourceAnswers: Sendable {
    /// A source's record of a photo, or none if it said that it has removed the photo.
    struct Answer {
        let record: PhotoRecord?
        let date: Date
    }

    /// The number of answers from which those that are too old are forgotten.
    private static let limit = 1_000

    private let answers = Mutex<[String: Answer]>([:])

    /// What the source told of a photo; nil if it was not asked, or too long ago.
    func answer(about photo: String, at now: Date, upTo age: Duration) -> Answer? {
        guard let answer = answers.withLock({ $0[photo] }), answer.date.isFresh(at: now, upTo: age)
        else { return nil }
        return answer
    }

    func note(_ record: PhotoRecord?, about photo: String, at now: Date, upTo age: Duration) {
        answers.withLock { answers in
            if answers.count >= Self.limit {
                answers = answers.filter { $0.value.date.isFresh(at: now, upTo: age) }
            }
            answers[photo] = Answer(record: record, date: now)
        }
    }
}
