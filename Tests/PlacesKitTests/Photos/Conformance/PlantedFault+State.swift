import Foundation
import PlacesKit
import Synchronization

/// What a source remembers of its first answers.
final class Answers: Sendable {
    private let answers = Mutex<[String: any Sendable]>([:])

    /// The value that was remembered first under a name.
    func remember<Value: Sendable>(_ value: Value, for name: String) -> Value {
        answers.withLock { answers in
            if let first = answers[name] as? Value { return first }
            answers[name] = value
            return value
        }
    }

    /// The value that was remembered first, if there is one.
    func value<Value: Sendable>(for name: String) -> Value? {
        answers.withLock { $0[name] as? Value }
    }
}

/// Does something that the task's being cancelled does not reach.
private func regardless<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await Task.detached { try await work() }.value
}

/// Does something, and throws another error if the task is cancelled.
private func saying<Value: Sendable>(
    _ error: any Error, _ work: @Sendable () async throws -> Value
) async throws -> Value {
    do {
        return try await work()
    } catch is CancellationError {
        throw error
    }
}

extension PlantedFault {
    static let cancellation: [PlantedFault] = [
        PlantedFault("listing places goes on when cancelled") { source in
            source.placesAnswer = { try await regardless { try await base.places() } }
        },
        PlantedFault("listing the photos of a place goes on when cancelled") { source in
            source.placePhotos = { place, limit in
                try await regardless { try await base.photos(in: place, limit: limit) }
            }
        },
        PlantedFault("listing recent photos goes on when cancelled") { source in
            source.recent = { limit in
                try await regardless { try await base.recentPhotos(limit: limit) }
            }
        },
        PlantedFault("a search goes on when cancelled") { source in
            source.page = { area, number, perPage in
                try await regardless {
                    try await base.photos(in: area, page: number, perPage: perPage)
                }
            }
        },
        PlantedFault("details go on when cancelled") { source in
            source.detailsAnswer = { identifier in
                try await regardless { try await base.details(ofPhoto: identifier) }
            }
        },
        PlantedFault("naming goes on when cancelled") { source in
            source.names = { point in
                try await regardless { try await base.placeNames(at: point) }
            }
        },
        PlantedFault("pictures go on when cancelled") { source in
            source.picture = { variant in
                try await regardless { try await base.data(for: variant) }
            }
        },
        PlantedFault("cancelled places are an error of the network") { source in
            source.placesAnswer = {
                try await saying(URLError(.cancelled)) { try await base.places() }
            }
        },
        PlantedFault("a cancelled search is no connection") { source in
            source.page = { area, number, perPage in
                try await saying(PhotoSourceError.notConnected(reason: "cancelled")) {
                    try await base.photos(in: area, page: number, perPage: perPage)
                }
            }
        },
        PlantedFault("cancelled recent photos are none") { source in
            source.recent = { limit in
                do {
                    return try await base.recentPhotos(limit: limit)
                } catch is CancellationError {
                    return []
                }
            }
        },
        PlantedFault("a cancelled picture is empty") { source in
            source.picture = { variant in
                do {
                    return try await base.data(for: variant)
                } catch is CancellationError {
                    return Data()
                }
            }
        },
        PlantedFault("a cancelled call is remembered as the answer") { source in
            let failures = Answers()
            source.picture = { variant in
                let name = "\(variant.url)"
                if let error: any Error = failures.value(for: name) { throw error }
                do {
                    return try await base.data(for: variant)
                } catch {
                    throw failures.remember(error, for: name)
                }
            }
        },
        PlantedFault("one cancelled caller cancels those who share its call") { source in
            let shared = SharedCalls<PhotoRecord>()
            source.detailsAnswer = { identifier in
                try await shared.value(for: identifier) {
                    try await base.details(ofPhoto: identifier)
                }
            }
        },
    ]

    static let state: [PlantedFault] = [
        PlantedFault("the first search's answer is kept for all pages") { source in
            let answers = Answers()
            source.page = { area, number, perPage in
                let page = try await base.photos(in: area, page: number, perPage: perPage)
                return answers.remember(page, for: "\(area) \(perPage)")
            }
        },
        PlantedFault("the answers to both kinds of area are mixed up") { source in
            let answers = Answers()
            source.page = { area, number, perPage in
                let page = try await base.photos(in: area, page: number, perPage: perPage)
                return answers.remember(page, for: "\(number) \(perPage)")
            }
        },
        PlantedFault("the first limit's answer is kept for all limits") { source in
            let answers = Answers()
            source.recent = { limit in
                answers.remember(try await base.recentPhotos(limit: limit), for: "recent")
            }
        },
        PlantedFault("the first photo's details are kept for all") { source in
            let answers = Answers()
            source.detailsAnswer = { identifier in
                answers.remember(try await base.details(ofPhoto: identifier), for: "details")
            }
        },
        PlantedFault("pages go on from where any caller was") { source in
            let count = SharedCounter()
            source.page = { area, number, perPage in
                let page = try await base.photos(in: area, page: number, perPage: perPage)
                guard number > 1, number < page.usablePages else { return page }
                let next = 2 + count.next() % max(1, page.usablePages - 1)
                var wrong = try await base.photos(in: area, page: next, perPage: perPage)
                wrong.page = number
                return wrong
            }
        },
        PlantedFault("callers at the same time get one another's details") { source in
            let answerer = Answerer()
            source.detailsAnswer = { try await answerer.details($0) }
        },
        PlantedFault("every fourth call fails") { source in
            let count = SharedCounter()
            source.recent = { limit in
                guard count.next() % 4 > 0 else { throw PhotoSourceError.timedOut(after: .zero) }
                return try await base.recentPhotos(limit: limit)
            }
        },
        PlantedFault("answers are handed out once") { source in
            let count = SharedCounter()
            source.names = { point in
                let names = try await base.placeNames(at: point)
                return count.next() == 1 ? names : nil
            }
        },
        PlantedFault("a title counts how often it was asked for") { source in
            let count = SharedCounter()
            source.detailsAnswer = { identifier in
                var photo = try await base.details(ofPhoto: identifier)
                photo.title = "\(count.next())"
                return photo
            }
        },
    ]
}

/// Keeps what it is asked for where the next caller puts something else.
private final class Answerer: Sendable {
    private let current = Mutex("")

    func details(_ identifier: String) async throws -> PhotoRecord {
        try Task.checkCancellation()
        current.withLock { $0 = identifier }
        for _ in 0..<20 { await Task.yield() }
        return try await PlantedFault.base.details(ofPhoto: current.withLock(\.self))
    }
}

/// Shares one call among all who ask for the same, and with it the first caller's being cancelled.
private actor SharedCalls<Value: Sendable> {
    private var tasks: [String: Task<Value, any Error>] = [:]

    func value(
        for name: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let task = tasks[name] { return try await task.value }
        let task = Task {
            for _ in 0..<20 { await Task.yield() }
            return try await work()
        }
        tasks[name] = task
        defer { tasks[name] = nil }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
