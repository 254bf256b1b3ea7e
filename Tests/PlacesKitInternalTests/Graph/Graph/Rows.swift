@testable import PlacesGraph

/// Tests write rows as numbers.
extension Row: ExpressibleByIntegerLiteral {
    init(integerLiteral index: Int) { self.init(index) }
}
