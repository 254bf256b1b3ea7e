/// The dates that a file gives, by what they are dates of.
struct CaptureDates {
    /// What happened then, the most telling first.
    enum Event: Int, CaseIterable {
        case shot
        case digitized
        case changed
    }

    private var times: [[CaptureTime]] = Event.allCases.map { _ in [] }

    mutating func add(_ time: CaptureTime?, of event: Event) {
        if let time { times[event.rawValue].append(time) }
    }

    /// When the photo was taken: the first date of the most telling event.
    ///
    /// Editors write the same moment with the zone that others had no field for.
    var best: CaptureTime? {
        let times = times.joined()
        guard var best = times.first else { return nil }
        for other in times where other.date == best.date {
            guard best.secondsFromGMT == nil else { break }
            best.secondsFromGMT = other.secondsFromGMT
            best.nanosecond = best.nanosecond ?? other.nanosecond
        }
        return best
    }
}
