/// One way of storing the world and answering its questions.
protocol Contestant: AnyObject {
    /// The name it has in the table.
    var name: String { get }

    /// What it runs for a workload, or nil if it does not take part.
    func trial(for workload: Workload) throws -> Trial?
}

/// Runs a workload once, timing the part that counts, and sums up the answer.
typealias Trial = (inout Round) throws -> Checksum
