import PlacesGraphTesting

extension ConformanceLog {
    /// The answer to a call; an error is recorded as a violation.
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

    /// Checks that a call throws an error of a certain kind.
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
