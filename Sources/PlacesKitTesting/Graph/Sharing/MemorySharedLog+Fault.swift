extension MemorySharedLog {
    /// Something that goes wrong with a request, or with the notice of what it adds.
    ///
    /// A fault that makes no sense for a request, such as ``part(_:)`` for a claim, does nothing. A number of
    /// requests is at least one.
    public enum Fault: Hashable, Sendable {
        /// The request throws before it has any effect.
        case refused
        /// The request has its effect, and throws.
        case answerLost
        /// The request throws, and has its effect later: before the request that comes so many requests later.
        case late(Int)
        /// The request is answered, and arrives once more so many requests later.
        case again(Int)
        /// A read returns so many commits at most, but at least one if there are any.
        case part(Int)
        /// Nobody is told of the commits.
        case untold
        /// Everybody is told twice.
        case toldTwice
        /// Everybody is told so many requests later, perhaps after having been told of later commits.
        case toldLate(Int)
    }

    /// What a request asks for, as far as faults depend on it.
    enum Request { case claim, append, read, keep }

    /// Where the faults of requests come from.
    enum FaultSource {
        case script(ArraySlice<[Fault]>)
        case random(any RandomNumberGenerator & Sendable, rate: Double)

        /// The faults of the next request.
        mutating func next(for request: Request) -> [Fault] {
            switch self {
            case .script(var script):
                defer { self = .script(script) }
                return script.popFirst() ?? []
            case .random(var random, let rate):
                defer { self = .random(random, rate: rate) }
                return Self.faults(of: request, rate: rate, using: &random)
            }
        }

        private static func faults(
            of request: Request, rate: Double, using random: inout some RandomNumberGenerator
        ) -> [Fault] {
            let requests = Int.random(in: 1...8, using: &random)
            let answers: [Fault] =
                request == .read
                ? [.refused, .part(requests)]
                : [.refused, .answerLost, .late(requests), .again(requests)]
            let notices: [Fault] =
                request == .append ? [.untold, .toldTwice, .toldLate(requests)] : []
            return [answers, notices].compactMap { faults in
                let isFaulty = Double.random(in: 0..<1, using: &random) < rate
                return isFaulty ? faults.randomElement(using: &random) : nil
            }
        }
    }
}
