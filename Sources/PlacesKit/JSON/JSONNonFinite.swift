/// The doubles that JSON has no numbers for, as the strings they are written as.
///
/// What a NaN carries besides being none is not kept.
enum JSONNonFinite: String, CaseIterable {
    case nan = "NaN"
    case infinity = "Infinity"
    case negativeInfinity = "-Infinity"

    /// The name of a double that is not finite.
    init(_ value: Double) {
        self = value.isNaN ? .nan : value > 0 ? .infinity : .negativeInfinity
    }

    var value: Double {
        switch self {
        case .nan: .nan
        case .infinity: .infinity
        case .negativeInfinity: -.infinity
        }
    }
}
