import Foundation
import PlacesKit
import Testing

/// Truth values and choices that lie in each other many levels deep.
@Suite struct NestedTruthTests {
    private typealias Truth = any StandardPredicateExpression<Bool>
    private typealias Number = any StandardPredicateExpression<Int?>

    private func same(
        _ left: some StandardPredicateExpression<Bool>,
        _ right: some StandardPredicateExpression<Bool>
    ) -> Truth {
        PredicateExpressions.build_Equal(lhs: left, rhs: right)
    }

    private func chosen(
        _ test: some StandardPredicateExpression<Bool>,
        _ first: some StandardPredicateExpression<Bool>,
        _ second: some StandardPredicateExpression<Bool>
    ) -> Truth {
        PredicateExpressions.build_Conditional(test, first, second)
    }

    private func next(_ number: some StandardPredicateExpression<Int?>) -> Number {
        PredicateExpressions.build_flatMap(number) { number in
            PredicateExpressions.build_Arithmetic(
                lhs: number, rhs: PredicateExpressions.build_Arg(1), op: .add)
        }
    }

    private func equal(_ left: some StandardPredicateExpression<Int?>, _ number: Int?) -> Truth {
        PredicateExpressions.build_Equal(lhs: left, rhs: PredicateExpressions.build_Arg(number))
    }

    private func fill(_ context: ManagedObjectContext) throws {
        for number in 0..<12 {
            let specimen = Specimen(context: context)
            specimen.code = "S\(number)"
            specimen.flag = number % 2 == 0
            specimen.integer = number - 4
            specimen.maybeInteger = number % 3 == 0 ? nil : number
            specimen.uuid = UUID()
            specimen.url = URL(filePath: "/")
            specimen.mood = .calm
            specimen.data = Data()
        }
    }

    private func context() throws -> ManagedObjectContext {
        let context = ManagedObjectContext(
            try GraphStore(
                model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        try fill(context)
        return context
    }

    @Test func `truth values of truth values are compared without being written twice`() throws {
        let predicate = Predicate<Specimen> { specimen in
            let flag = PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.flag)
            let isPositive = PredicateExpressions.build_Comparison(
                lhs: PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.integer),
                rhs: PredicateExpressions.build_Arg(0), op: .greaterThan)
            var truth = same(flag, isPositive)
            for level in 0..<30 {
                truth = level % 3 == 0 ? same(isPositive, truth) : same(truth, flag)
            }
            return truth
        }
        try context().check(predicate, .compiled)
    }

    @Test func `choices in choices that grow too long are asked of the objects`() throws {
        let context = try context()
        let choices = Predicate<Specimen> { specimen in
            let flag = PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.flag)
            let isPositive = PredicateExpressions.build_Comparison(
                lhs: PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.integer),
                rhs: PredicateExpressions.build_Arg(0), op: .greaterThan)
            var truth = chosen(flag, isPositive, flag)
            for _ in 0..<30 { truth = chosen(truth, isPositive, flag) }
            return truth
        }
        try context.check(choices, .fallback)
        let chain = Predicate<Specimen> { specimen in
            var number: Number = PredicateExpressions.build_KeyPath(
                root: specimen, keyPath: \.maybeInteger)
            for _ in 0..<30 { number = next(number) }
            return equal(number, 35)
        }
        try context.check(chain, .fallback)
    }
}
