import Foundation

extension Progress {
    /// Says how much there is to do, of which nothing is done.
    func begin(_ count: Int) {
        // NB: on Linux a total that becomes zero is divided by.
        totalUnitCount = Int64(max(1, count))
        completedUnitCount = 0
    }
}
