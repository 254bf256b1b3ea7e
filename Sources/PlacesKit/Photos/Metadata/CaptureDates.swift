/// The dates in a file, by the events that they belong to.
struct CaptureDates {
    /// What happened at a date; the event that tells most about the shot comes first.
    enum Event: Int, CaseIterable {
        case shot
        case digitized
        case changed
    }

    private var times: [[CaptureTime]] = Event.allCases.map { _ in [] }

    mutating func add(_ time: CaptureTime?, of event: Event) {
        if let time { times[event.rawValue].append(time) }
    }

    /// When the photo was taken: the first date of the first event that has one.
    ///
    /// Other fields may give the same moment with a time zone or fraction that this date lacks;
    /// each is added. What they show in another time zone is another moment.
    var best: CaptureTime? {
        let times = times.joined()
        guard var best = times.first else { return nil }
        for other in times where other.date == best.date {
            let zone = best.secondsFromGMT ?? other.secondsFromGMT
            guard other.secondsFromGMT ?? zone == zone else { continue }
            best.secondsFromGMT = zone
            best.nanosecond = best.nanosecond ?? other.nanosecond
        }
        return best
    }
}
