@testable import PlacesGraph

/// Tests write rows, tables and slots as numbers.
extension Row: ExpressibleByIntegerLiteral {
    init(integerLiteral index: Int) { self.init(index) }
}

extension TableNumber: ExpressibleByIntegerLiteral {
    init(integerLiteral index: Int) { self.init(index) }
}

extension Slot: ExpressibleByIntegerLiteral {
    init(integerLiteral index: Int) { self.init(index) }
}
