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

    private func either(
        _ left: some StandardPredicateExpression<Bool>,
        _ right: some StandardPredicateExpression<Bool>
    ) -> Truth {
        PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
    }

    private func chosen(
        _ test: some StandardPredicateExpression<Bool>,
        _ first: some StandardPredicateExpression<Bool>,
        _ second: some StandardPredicateExpression<Bool>
    ) -> Truth {
        PredicateExpressions.build_Conditional(test, first, second)
    }

    private func any<Test: StandardPredicateExpression<Bool>>(
        of numbers: [Int], _ test: (PredicateExpressions.Variable<Int>) -> Test
    ) -> PredicateExpressions.SequenceContainsWhere<PredicateExpressions.Value<[Int]>, Test> {
        PredicateExpressions.build_contains(
            PredicateExpressions.build_Arg(numbers), where: test)
    }

    private func next(_ number: some StandardPredicateExpression<Int?>) -> Number {
        PredicateExpressions.build_flatMap(number) { number in
            PredicateExpressions.build_Arithmetic(
                lhs: number, rhs: PredicateExpressions.build_Arg(1), op: .add)
        }
    }

    /// Whether the number that a truth value chooses is 4; one that is missing is.
    private func isFour(
        _ truth: some StandardPredicateExpression<Bool>,
        _ number: some StandardPredicateExpression<Int?>
    ) -> Truth {
        PredicateExpressions.build_Equal(
            lhs: PredicateExpressions.build_NilCoalesce(
                lhs: PredicateExpressions.build_Conditional(
                    truth, number, PredicateExpressions.build_Arg(Int?.none)),
                rhs: PredicateExpressions.build_Arg(4)),
            rhs: PredicateExpressions.build_Arg(4))
    }

    /// Whether the number that a truth value chooses, or else 3, lies in a range.
    private func isInRange(
        _ truth: some StandardPredicateExpression<Bool>,
        _ number: some StandardPredicateExpression<Int>
    ) -> Truth {
        PredicateExpressions.RangeExpressionContains(
            range: PredicateExpressions.build_Arg(2...5),
            element: PredicateExpressions.build_Conditional(
                truth, number, PredicateExpressions.build_Arg(3)))
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

    @Test
    func `a truth value that is compared with several comparisons is found by sets and joins`()
        throws
    {
        let context = try context()
        let shelf = Shelf(context: context)
        shelf.name = "low"
        for specimen in try context.fetch(Specimen.self) where specimen.integer > 4 {
            specimen.shelf = shelf
        }
        let predicate = Predicate<Specimen> { specimen in
            let integer = PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.integer)
            let name = PredicateExpressions.build_flatMap(
                PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.shelf)
            ) { PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name) }
            var any: Truth = PredicateExpressions.build_Equal(
                lhs: name, rhs: PredicateExpressions.build_Arg("low"))
            for number in 0..<5 {
                any = either(
                    any,
                    PredicateExpressions.build_Equal(
                        lhs: integer, rhs: PredicateExpressions.build_Arg(number)))
            }
            let flag = PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.flag)
            return same(flag, any)
        }
        try context.check(predicate, .compiled)
        let steps = try FetchRequest(predicate: predicate).explain(in: context).steps.map(\.text)
        #expect(steps.contains("if any of"), "\(steps)")
        #expect(steps.contains("if shelf is one of"), "\(steps)")
    }

    @Test func `what is long without choices in choices is compiled`() throws {
        let context = try context()
        let numbers = Array(-10..<6)
        let predicate = Predicate<Specimen> { specimen in
            PredicateExpressions.build_NilCoalesce(
                lhs: PredicateExpressions.build_flatMap(
                    PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.maybeInteger)
                ) { number in
                    // One comparison for each three numbers: 4,096.
                    any(of: numbers) { _ in
                        any(of: numbers) { _ in
                            any(of: numbers) {
                                PredicateExpressions.build_Equal(lhs: $0, rhs: number)
                            }
                        }
                    }
                }, rhs: PredicateExpressions.build_Arg(false))
        }
        let explanation = try FetchRequest(predicate: predicate).explain(in: context)
        #expect(explanation.notCompiled.isEmpty)
        // 1, 2, 4 and 5.
        #expect(explanation.rows == 4)
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

    /// Choices that lie in each other, each with a value in place of none.
    private func replacingNone(levels: Int) -> Predicate<Specimen> {
        Predicate { specimen in
            let number = PredicateExpressions.build_KeyPath(
                root: specimen, keyPath: \.maybeInteger)
            var truth: Truth = PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.flag)
            for _ in 0..<levels { truth = isFour(truth, number) }
            return truth
        }
    }

    @Test func `a choice with a value in place of none is not written again at each level`() throws
    {
        try context().check(replacingNone(levels: 30), .compiled)
    }

    @Test func `a format that would double at each level of choices is not written`() throws {
        _ = try PredicateFormat(replacingNone(levels: 2))
        let error = #expect(throws: PredicateFormatError.self) {
            try PredicateFormat(replacingNone(levels: 30))
        }
        #expect(
            error?.description
                == "a long calculation that is asked for twice in a format is not supported, in the predicate"
        )
    }

    @Test func `choices in ranges that grow too long are asked of the objects`() throws {
        let predicate = Predicate<Specimen> { specimen in
            let number = PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.integer)
            var truth: Truth = PredicateExpressions.build_KeyPath(root: specimen, keyPath: \.flag)
            for _ in 0..<30 { truth = isInRange(truth, number) }
            return truth
        }
        try context().check(predicate, .fallback)
    }
}
