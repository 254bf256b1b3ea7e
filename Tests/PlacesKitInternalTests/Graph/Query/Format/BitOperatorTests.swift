import PlacesKit
import Testing

@testable import PlacesGraph

/// Operators on bits by themselves.
@Suite struct BitOperatorTests {
    @Test func `64 bits without a sign stay so`() {
        func and(_ left: Datum, _ right: Datum) -> Datum { BitOperator.and.apply(left, right) }
        #expect(and(.unsigned(.max), .integer(-1)) == .unsigned(.max))
        #expect(and(.integer(6), .unsigned(3)) == .unsigned(2))
        #expect(and(.integer(6), .integer(3)) == .integer(2))
        #expect(and(.double(6), .integer(3)) == .null)
        #expect(BitOperator.or.apply(.unsigned(1 << 63), .integer(1)) == .unsigned(1 << 63 | 1))
        #expect(BitOperator.exclusiveOr.apply(.unsigned(5), .integer(-1)) == .unsigned(~5))
        #expect(BitOperator.shiftedRight.apply(.unsigned(.max), .integer(63)) == .unsigned(1))
        #expect(BitOperator.shiftedRight.apply(.integer(.min), .unsigned(63)) == .integer(-1))
        #expect(BitOperator.shiftedLeft.apply(.integer(1), .unsigned(.max)) == .null)
        #expect(BitOperator.shiftedLeft.apply(.unsigned(1), .integer(-1)) == .null)
    }
}
