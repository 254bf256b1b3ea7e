/// The medians of one workload, as they are written to JSON.
struct Measurement: Encodable {
    let workload: String
    /// How many photos the world has.
    let objects: Int
    let unit = "ns/op"
    /// For each contestant that took part, the nanoseconds one operation took.
    let median: [String: Double]

    private enum CodingKeys: CodingKey {
        case workload, objects, unit, median
    }
}
