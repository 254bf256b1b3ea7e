public import PlacesKit

/// Checks that a photo source keeps what the protocol promises.
///
/// Run it against your own source:
///
/// ```swift
/// @Test func `my source keeps the promises of PhotoSource`() async {
///     let violations = await PhotoSourceConformance(MySource(), near: paris).violations()
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
///
/// It makes about 40 calls, so let it ask a recording or a stand-in rather than a service.
public struct PhotoSourceConformance: Sendable {
    /// A promise that is not kept.
    public struct Violation: Sendable, Hashable, CustomStringConvertible {
        /// What was asked.
        public let operation: String
        /// What is wrong with the answer, and what it should be.
        public let problem: String

        /// Both in one line.
        public var description: String { "\(operation): \(problem)" }
    }

    let source: any PhotoSource
    let center: Coordinate
    let radius: Double

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - source: The source to check.
    ///   - center: A point around which it has photos.
    ///   - radius: The radius of the search, in kilometres.
    public init(_ source: any PhotoSource, near center: Coordinate, radius: Double = 5) {
        self.source = source
        self.center = center
        self.radius = radius
    }

    /// All promises that the source does not keep.
    public func violations() async -> [Violation] {
        var log = ConformanceLog()
        checkCaps(&log)
        await checkCapabilities(&log)
        await checkPlaces(&log)
        await checkRecentPhotos(&log)
        await checkAreas(&log)
        await checkPhotos(&log)
        await checkCancellation(&log)
        await checkConcurrency(&log)
        return log.violations
    }

    var areas: [PhotoArea] {
        let box = CoordinateBox(center: center, degrees: radius / 112)
        return [.circle(center: center, radius: radius), .box(box)]
            .filter { source.capabilities.contains($0.capability) }
    }
}

/// Takes notes of violations.
struct ConformanceLog {
    private(set) var violations: [PhotoSourceConformance.Violation] = []

    mutating func expect(
        _ condition: Bool, _ operation: String, _ problem: @autoclosure () -> String
    ) {
        guard !condition else { return }
        violations.append(.init(operation: operation, problem: problem()))
    }

    /// The answer to a call; an error is a violation.
    mutating func answer<Value>(
        _ operation: String, _ call: () async throws -> Value
    ) async -> Value? {
        do {
            return try await call()
        } catch {
            expect(false, operation, "threw \(error), which no answer should be")
            return nil
        }
    }

    /// Checks that a call throws an error of a kind.
    mutating func expectError<Value>(
        _ operation: String, _ kind: String, _ isRight: (any Error) -> Bool,
        _ call: () async throws -> Value
    ) async {
        do {
            _ = try await call()
            expect(false, operation, "answered, but should throw \(kind)")
        } catch {
            expect(isRight(error), operation, "threw \(error), but should throw \(kind)")
        }
    }
}
