import Foundation
import PlacesGraph

/// When things are done, so that lists by date have them in the order in which they were done.
extension PlacesLibrary {
    /// How many seconds a date may be ahead of now: a day.
    ///
    /// One that is further ahead is that of a clock that was wrong.
    static let clockError = 86_400.0

    /// Now, or just after the latest date of such things where the clock was set back since.
    ///
    /// - Parameters:
    ///   - latest: A request for the latest, of those that are no more than ``clockError`` ahead.
    ///   - date: Returns its date.
    /// - Returns: The date for what is done now.
    /// - Throws: `ContextError`.
    func moment<Object>(
        after latest: FetchRequest<Object>, by date: (Object) -> Date?
    ) throws(ContextError) -> Date {
        let now = options.now()
        guard let last = try context.fetch(latest).first.flatMap(date) else { return now }
        return max(
            now, Date(timeIntervalSinceReferenceDate: last.timeIntervalSinceReferenceDate.nextUp))
    }
}
