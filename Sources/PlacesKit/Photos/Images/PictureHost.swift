/// The pictures that are still to be fetched from a host, and how it answers.
///
/// If as many requests in a row as run at a time found it out of reach, it is asked for no more,
/// unless one that still runs there succeeds. At least two must have, as one may fail by itself.
struct PictureHost {
    /// Those that are still to be fetched, the first one last.
    var missing: [(request: ImageRequest, kept: Set<ImageFileName>)] = []
    /// The last failure, if the host is out of reach.
    private(set) var failure: (any Error)?
    private var failuresInARow = 0
    private var running = 0

    /// Begins with the next picture, if one may be fetched now.
    mutating func next(
        atATime limit: Int
    ) -> (request: ImageRequest, kept: Set<ImageFileName>)? {
        // A failure keeps its slot, so that a host out of reach costs one round of attempts.
        guard running < limit, running + failuresInARow < max(2, limit),
            let next = missing.popLast()
        else { return nil }
        running += 1
        return next
    }

    /// Ends a picture that ``next(atATime:)`` began.
    mutating func end() { running -= 1 }

    /// Notes what the host answered.
    mutating func note(_ error: (any Error)?) {
        let isOutOfReach = (error as? PhotoSourceError)?.isOutOfReach == true
        failure = isOutOfReach ? error : nil
        failuresInARow = isOutOfReach ? failuresInARow + 1 : 0
    }
}
