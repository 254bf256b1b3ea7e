@testable import PlacesGraph

/// Tests write rows, tables and slots as numbers.
extension Ordinal where Self: ExpressibleByIntegerLiteral {
    init(integerLiteral index: Int) { self.init(index) }
}

extension Row: ExpressibleByIntegerLiteral {}
extension TableNumber: ExpressibleByIntegerLiteral {}
extension Slot: ExpressibleByIntegerLiteral {}
