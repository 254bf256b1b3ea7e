/// The doubles that JSON has no numbers for, as the strings that stand for them.
///
/// The payload of a NaN is not kept.
package enum JSONNonFinite: String, CaseIterable {
    case nan = "NaN"
    case infinity = "Infinity"
    case negativeInfinity = "-Infinity"

    /// The name of a double that is not finite.
    package init(_ value: Double) {
        self = value.isNaN ? .nan : value > 0 ? .infinity : .negativeInfinity
    }

    package var value: Double {
        switch self {
        case .nan: .nan
        case .infinity: .infinity
        case .negativeInfinity: -.infinity
        }
    }
}
