import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Predicates that are asked of objects and may not stop Swift.
@Suite struct CarefulPredicateTests {
    @Test func `an object whose calculation would stop Swift does not match`() throws {
        let world = try SpecimenWorld(seed: 3)
        let specimens = try world.specimens
        ArithmeticQueryTests.forEachOverflow { predicate, naive in
            let careful = CarefulPredicate(predicate)
            for specimen in specimens {
                #expect(careful.answer(for: specimen) == naive(specimen))
            }
        }
    }
}
