@testable import PlacesGraph

/// Tests write rows and tables as numbers.
extension Row: ExpressibleByIntegerLiteral {
    init(integerLiteral index: Int) { self.init(index) }
}

extension TableNumber: ExpressibleByIntegerLiteral {
    init(integerLiteral index: Int) { self.init(index) }
}
