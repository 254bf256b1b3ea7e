import PlacesGraphTesting
import PlacesKit

extension PhotoSourceConformance {
    /// Checks that a repeated call has the same answer.
    func checkRepetition(of calls: [ConformanceCall], _ log: inout ConformanceLog) async {
        for call in calls {
            guard let answer = await log.answer(call.operation, { try await call() }) else {
                continue
            }
            let again = try? await call()
            log.expect(again == answer, call.operation, "is answered otherwise when asked again")
        }
    }

    /// Checks that only the cancelled task gets an error, and that it is `CancellationError`.
    func checkCancellation(of calls: [ConformanceCall], _ log: inout ConformanceLog) async {
        for call in calls {
            await log.expectError(
                "\(call.operation) in a cancelled task", "CancellationError",
                { $0 is CancellationError }
            ) {
                try await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await call()
                }.value
            }
            let tasks = (0..<4).map { _ in Task { try await call() } }
            tasks[0].cancel()
            tasks[2].cancel()
            for (number, task) in tasks.enumerated() {
                do {
                    _ = try await task.value
                } catch {
                    log.expect(
                        error is CancellationError, "\(call.operation) beside cancelled ones",
                        "threw \(error)")
                    log.expect(
                        number % 2 == 0, "\(call.operation) beside cancelled ones",
                        "was cancelled with them")
                }
            }
            _ = await log.answer("\(call.operation) after a cancelled one") { try await call() }
        }
    }

    /// Checks that calls at the same time have the same answers as calls one by one.
    func checkConcurrency(of calls: [ConformanceCall], _ log: inout ConformanceLog) async {
        var alone: [String?] = []
        for call in calls { alone.append(try? await call()) }
        let together = await withTaskGroup(of: (Int, String?).self) { group in
            for _ in 0..<4 {
                for (number, call) in calls.enumerated() {
                    group.addTask { (number, try? await call()) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (number, answer) in together {
            log.expect(
                answer == alone[number], "\(calls[number].operation) beside other calls",
                "is answered otherwise than alone")
        }
    }
}
