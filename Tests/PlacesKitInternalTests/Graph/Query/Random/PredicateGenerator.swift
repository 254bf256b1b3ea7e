import Foundation
import PlacesKit

@testable import PlacesKitTests

private typealias Expressions = PredicateExpressions

/// Makes random predicates of specimens, of every kind of expression.
struct PredicateGenerator {
    var random: SplitMix64
    /// Whether expressions may be made that stop Foundation.
    var allowsFailures = true
    /// The objects that an expression may read, the innermost last.
    private var scopes: [Scope] = []

    private enum Scope {
        case specimen(AnyNode<Specimen>)
        case tag(AnyNode<Tag>)
    }

    init(seed: UInt64) { random = SplitMix64(seed: RunSeed.mixed(seed)) }

    /// A predicate, and what it comes to by plain Swift.
    mutating func predicate() -> (Predicate<Specimen>, Random<Bool>) {
        var made = Random<Bool>.constant(true)
        let predicate = Predicate<Specimen> { variable in
            scopes = [.specimen(AnyNode(variable))]
            made = truth(4)
            return made.node
        }
        return (predicate, made)
    }

    private mutating func chance(_ count: Int) -> Bool { random.below(count) == 0 }

    // MARK: - Objects

    /// A specimen that can be read here.
    private mutating func specimen() -> Random<Specimen> {
        let indices = scopes.indices.filter {
            if case .specimen = scopes[$0] { true } else { false }
        }
        let index = random.pick(indices)
        guard case .specimen(let node) = scopes[index] else { preconditionFailure("no specimen") }
        return Random(node, "$\(index)") { objects in
            guard let specimen = objects[index] as? Specimen else { throw Stopped() }
            return specimen
        }
    }

    /// A tag that can be read here, if a closure over tags lies around.
    private mutating func tag() -> Random<Tag>? {
        let indices = scopes.indices.filter { if case .tag = scopes[$0] { true } else { false } }
        guard !indices.isEmpty else { return nil }
        let index = random.pick(indices)
        guard case .tag(let node) = scopes[index] else { return nil }
        return Random(node, "$\(index)") { objects in
            guard let tag = objects[index] as? Tag else { throw Stopped() }
            return tag
        }
    }

    private func read<Root, Value>(
        _ root: Random<Root>, _ keyPath: any KeyPath<Root, Value> & Sendable, _ name: String
    ) -> Random<Value> {
        Random(Expressions.KeyPath(root: root.node, keyPath: keyPath), "\(root.text).\(name)") {
            try root.naive($0)[keyPath: keyPath]
        }
    }

    // MARK: - Truth values

    private mutating func truth(_ depth: Int) -> Random<Bool> {
        guard depth > 0, !chance(6) else { return truthLeaf() }
        switch random.below(13) {
        case 0, 1:
            let (left, right) = (truth(depth - 1), truth(depth - 1))
            return Random(
                Expressions.Conjunction(lhs: left.node, rhs: right.node),
                "(\(left.text) && \(right.text))"
            ) { try left.naive($0) && right.naive($0) }
        case 2, 3:
            let (left, right) = (truth(depth - 1), truth(depth - 1))
            return Random(
                Expressions.Disjunction(lhs: left.node, rhs: right.node),
                "(\(left.text) || \(right.text))"
            ) { try left.naive($0) || right.naive($0) }
        case 4:
            let inner = truth(depth - 1)
            return Random(Expressions.Negation(inner.node), "!\(inner.text)") {
                try !inner.naive($0)
            }
        case 5: return choice(depth) { $0.truth(depth - 1) }
        case 6:
            let (left, right) = (truth(depth - 1), truth(depth - 1))
            return Random(
                Expressions.Equal(lhs: left.node, rhs: right.node),
                "(\(left.text) == \(right.text))"
            ) { try left.naive($0) == right.naive($0) }
        case 7: return compared(integer(depth - 1), integer(depth - 1))
        case 8: return compared(small(depth - 1), small(depth - 1))
        case 9: return compared(real(depth - 1), real(depth - 1))
        case 10: return text(depth - 1)
        case 11: return members(depth)
        default: return mapped(depth)
        }
    }

    private mutating func truthLeaf() -> Random<Bool> {
        let specimen = specimen()
        switch random.below(7) {
        case 0: return read(specimen, \.flag, "flag")
        case 1: return .constant(chance(2))
        case 2:
            let read = read(specimen, \.maybeFlag, "maybeFlag")
            return equal(read, .constant(chance(2)))
        case 3: return equal(read(specimen, \.maybeInteger, "maybeInteger"), .constant(nil))
        case 4: return equal(read(specimen, \.maybeText, "maybeText"), .constant("plain"))
        case 5:
            let values = (0..<random.below(4)).map { _ in random.pick(SpecimenWorld.integers) }
            let element = integer(1)
            return Random(
                Expressions.SequenceContains(
                    sequence: Expressions.Value(values), element: element.node),
                "\(values).contains(\(element.text))"
            ) { try values.contains(element.naive($0)) }
        default: return compared(integer(1), integer(1))
        }
    }

    private mutating func equal<Value: Equatable>(
        _ left: Random<Value>, _ right: Random<Value>
    ) -> Random<Bool> {
        if chance(2) {
            return Random(
                Expressions.NotEqual(lhs: left.node, rhs: right.node),
                "(\(left.text) != \(right.text))"
            ) { try left.naive($0) != right.naive($0) }
        }
        return Random(
            Expressions.Equal(lhs: left.node, rhs: right.node), "(\(left.text) == \(right.text))"
        ) { try left.naive($0) == right.naive($0) }
    }

    private mutating func compared<Value: Comparable>(
        _ left: Random<Value>, _ right: Random<Value>
    ) -> Random<Bool> {
        if chance(3) { return equal(left, right) }
        if allowsFailures, chance(6) {
            let upper = right
            return Random(
                Expressions.RangeExpressionContains(
                    range: Expressions.ClosedRange(lower: left.node, upper: upper.node),
                    element: left.node),
                "(\(left.text)...\(upper.text)).contains(\(left.text))"
            ) {
                let (low, high) = (try left.naive($0), try upper.naive($0))
                guard low <= high else { throw Stopped() }
                return (low...high).contains(low)
            }
        }
        let operation = random.pick(
            [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
                as [Expressions.ComparisonOperator])
        return Random(
            Expressions.Comparison(lhs: left.node, rhs: right.node, op: operation),
            "(\(left.text) \(operation) \(right.text))"
        ) {
            let (a, b) = (try left.naive($0), try right.naive($0))
            return switch operation {
            case .lessThan: a < b
            case .lessThanOrEqual: a <= b
            case .greaterThan: a > b
            default: a >= b
            }
        }
    }

    private mutating func choice<Value>(
        _ depth: Int, _ branch: (inout PredicateGenerator) -> Random<Value>
    ) -> Random<Value> {
        let (test, yes, no) = (truth(depth - 1), branch(&self), branch(&self))
        return Random(
            Expressions.Conditional(test: test.node, trueBranch: yes.node, falseBranch: no.node),
            "(\(test.text) ? \(yes.text) : \(no.text))"
        ) { try test.naive($0) ? yes.naive($0) : no.naive($0) }
    }

    private mutating func coalesced<Value>(
        _ optional: Random<Value?>, _ value: Random<Value>
    ) -> Random<Value> {
        Random(
            Expressions.NilCoalesce(lhs: optional.node, rhs: value.node),
            "(\(optional.text) ?? \(value.text))"
        ) { try optional.naive($0) ?? value.naive($0) }
    }

    // MARK: - Closures

    /// A test of the members of a to-many relationship.
    private mutating func members(_ depth: Int) -> Random<Bool> {
        let owner = specimen()
        return chance(2)
            ? search(read(owner, \.tags, "tags"), depth) { .tag($0) }
            : search(read(owner, \.children, "children"), depth) { .specimen($0) }
    }

    private mutating func search<Members: Sequence>(
        _ members: Random<Members>, _ depth: Int,
        _ scope: @escaping (AnyNode<Members.Element>) -> Scope
    ) -> Random<Bool> where Members.Element: ManagedObject {
        var test = Random<Bool>.constant(true)
        let level = scopes.count
        func make<Closure>(
            _ build: ((Expressions.Variable<Members.Element>) -> AnyNode<Bool>) -> Closure
        ) -> Closure {
            build { variable in
                scopes.append(scope(AnyNode(variable)))
                test = truth(depth - 1)
                scopes.removeLast()
                return test.node
            }
        }
        switch random.below(3) {
        case 0:
            let closure = make { Expressions.SequenceContainsWhere(members.node, builder: $0) }
            return Random(closure, "\(members.text).contains { $\(level) in \(test.text) }") {
                objects in
                try members.naive(objects).contains { try test.naive(objects + [$0]) }
            }
        case 1:
            let closure = make { Expressions.SequenceAllSatisfy(members.node, builder: $0) }
            return Random(closure, "\(members.text).allSatisfy { $\(level) in \(test.text) }") {
                objects in
                try members.naive(objects).allSatisfy { try test.naive(objects + [$0]) }
            }
        default:
            let closure = make { Expressions.Filter(members.node, $0) }
            let count = Random<Int>(
                Expressions.KeyPath(root: closure, keyPath: \[Members.Element].count),
                "\(members.text).filter { $\(level) in \(test.text) }.count"
            ) { objects in
                try members.naive(objects).filter { try test.naive(objects + [$0]) }.count
            }
            return compared(count, .constant(random.below(3)))
        }
    }

    /// A test of what an optional holds, and of its absence.
    private mutating func mapped(_ depth: Int) -> Random<Bool> {
        let owner = specimen()
        let parent = read(owner, \.parent, "parent")
        var test = Random<Bool>.constant(true)
        let level = scopes.count
        let closure = Expressions.OptionalFlatMap<
            AnyNode<Specimen?>, Specimen, AnyNode<Bool>, Bool
        >(parent.node) { variable in
            scopes.append(.specimen(AnyNode(variable)))
            test = truth(depth - 1)
            scopes.removeLast()
            return test.node
        }
        let optional = Random<Bool?>(
            closure, "\(parent.text).flatMap { $\(level) in \(test.text) }"
        ) { objects in
            try parent.naive(objects).flatMap { try test.naive(objects + [$0]) }
        }
        if chance(3) { return equal(optional, .constant(random.pick([nil, true, false]))) }
        return coalesced(optional, truth(depth - 1))
    }

    // MARK: - Text

    private mutating func text(_ depth: Int) -> Random<Bool> {
        let (left, right) = (string(depth), string(depth))
        switch random.below(4) {
        case 0: return equal(left, right)
        case 1:
            return Random(
                Expressions.CollectionContainsCollection(base: left.node, other: right.node),
                "\(left.text).contains(\(right.text))"
            ) { try left.naive($0).contains(other: right.naive($0)) }
        case 2:
            return Random(
                Expressions.SequenceStartsWith(base: left.node, prefix: right.node),
                "\(left.text).starts(with: \(right.text))"
            ) { try left.naive($0).starts(with: right.naive($0)) }
        default:
            guard allowsFailures else { return equal(left, right) }
            return Random(
                Expressions.Comparison(lhs: left.node, rhs: right.node, op: .lessThan),
                "(\(left.text) < \(right.text))"
            ) {
                let left = try left.naive($0).precomposedStringWithCanonicalMapping
                let right = try right.naive($0).precomposedStringWithCanonicalMapping
                return left.utf8.lexicographicallyPrecedes(right.utf8)
            }
        }
    }

    private mutating func string(_ depth: Int) -> Random<String> {
        switch random.below(depth > 0 ? 6 : 3) {
        case 0: return .constant(random.pick(SpecimenWorld.texts))
        case 1, 2:
            if let tag = tag(), chance(2) { return read(tag, \.name, "name") }
            return read(specimen(), \.text, "text")
        case 3: return choice(depth) { $0.string(depth - 1) }
        case 4:
            let shelf = read(specimen(), \.shelf, "shelf")
            let closure = Expressions.OptionalFlatMap<
                AnyNode<Shelf?>, Shelf, AnyNode<String>, String
            >(shelf.node) { AnyNode(Expressions.KeyPath(root: $0, keyPath: \.name)) }
            let name = Random<String?>(closure, "\(shelf.text)?.name") {
                try shelf.naive($0)?.name
            }
            return coalesced(name, string(depth - 1))
        default:
            return coalesced(read(specimen(), \.maybeText, "maybeText"), string(depth - 1))
        }
    }

    // MARK: - Numbers

    private mutating func integer(_ depth: Int) -> Random<Int> {
        switch random.below(depth > 0 ? 11 : 3) {
        case 0: return .constant(random.pick(SpecimenWorld.integers))
        case 1, 2:
            if let tag = tag(), chance(2) { return read(tag, \.weight, "weight") }
            return chance(3)
                ? read(read(specimen(), \.tags, "tags"), \.count, "count")
                : read(specimen(), \.integer, "integer")
        case 3: return choice(depth) { $0.integer(depth - 1) }
        case 4:
            return coalesced(read(specimen(), \.maybeInteger, "maybeInteger"), integer(depth - 1))
        case 5:
            let (values, index) = ([5, -1, Int.max], integer(depth - 1))
            return Random(
                Expressions.CollectionIndexSubscript(
                    wrapped: Expressions.Value(values), index: index.node),
                "\(values)[\(index.text)]"
            ) {
                let index = try index.naive($0)
                guard values.indices.contains(index) else { throw Stopped() }
                return values[index]
            }
        case 6:
            let (values, key) = (["plain": 1, "k": 2, "": 0], string(depth - 1))
            let optional = Random<Int?>(
                Expressions.DictionaryKeySubscript(
                    wrapped: Expressions.Value(values), key: key.node),
                "dictionary[\(key.text)]"
            ) { values[try key.naive($0)] }
            return coalesced(optional, integer(depth - 1))
        case 7:
            let optional = read(specimen(), \.maybeInteger, "maybeInteger")
            return Random(
                Expressions.ForcedUnwrap<AnyNode<Int?>, Int>(optional.node), "\(optional.text)!"
            ) {
                guard let value = try optional.naive($0) else { throw Stopped() }
                return value
            }
        default:
            guard allowsFailures else { return integer(0) }
            return arithmetic(integer(depth - 1), integer(depth - 1))
        }
    }

    private mutating func small(_ depth: Int) -> Random<Int16> {
        switch random.below(depth > 0 ? 5 : 2) {
        case 0: return .constant(random.pick(SpecimenWorld.smalls))
        case 1: return read(specimen(), \.small, "small")
        case 2: return coalesced(read(specimen(), \.maybeSmall, "maybeSmall"), small(depth - 1))
        default:
            guard allowsFailures else { return small(0) }
            return arithmetic(small(depth - 1), small(depth - 1))
        }
    }

    private mutating func arithmetic<Number: FixedWidthInteger & SignedInteger>(
        _ left: Random<Number>, _ right: Random<Number>
    ) -> Random<Number> {
        func make(
            _ expression: any PredicateExpression<Number>, _ sign: String,
            _ apply: @escaping (Number, Number) -> (partialValue: Number, overflow: Bool)
        ) -> Random<Number> {
            Random(expression, "(\(left.text) \(sign) \(right.text))") {
                let result = apply(try left.naive($0), try right.naive($0))
                guard !result.overflow else { throw Stopped() }
                return result.partialValue
            }
        }
        let (lhs, rhs) = (left.node, right.node)
        switch random.below(6) {
        case 0:
            return make(Expressions.Arithmetic(lhs: lhs, rhs: rhs, op: .add), "+") {
                $0.addingReportingOverflow($1)
            }
        case 1:
            return make(Expressions.Arithmetic(lhs: lhs, rhs: rhs, op: .subtract), "-") {
                $0.subtractingReportingOverflow($1)
            }
        case 2:
            return make(Expressions.Arithmetic(lhs: lhs, rhs: rhs, op: .multiply), "*") {
                $0.multipliedReportingOverflow(by: $1)
            }
        case 3:
            return make(Expressions.IntDivision(lhs: lhs, rhs: rhs), "/") {
                $0.dividedReportingOverflow(by: $1)
            }
        case 4:
            return make(Expressions.IntRemainder(lhs: lhs, rhs: rhs), "%") {
                $0.remainderReportingOverflow(dividingBy: $1)
            }
        default:
            return Random(Expressions.UnaryMinus(lhs), "-\(left.text)") {
                let result = Number.zero.subtractingReportingOverflow(try left.naive($0))
                guard !result.overflow else { throw Stopped() }
                return result.partialValue
            }
        }
    }

    private mutating func real(_ depth: Int) -> Random<Double> {
        switch random.below(depth > 0 ? 8 : 2) {
        case 0: return .constant(random.pick(SpecimenWorld.doubles))
        case 1: return read(specimen(), \.double, "double")
        case 2:
            return coalesced(read(specimen(), \.maybeDouble, "maybeDouble"), real(depth - 1))
        case 3:
            let (left, right) = (real(depth - 1), real(depth - 1))
            return Random(
                Expressions.FloatDivision(lhs: left.node, rhs: right.node),
                "(\(left.text) / \(right.text))"
            ) { try left.naive($0) / right.naive($0) }
        case 4:
            let inner = real(depth - 1)
            return Random(Expressions.UnaryMinus(inner.node), "-\(inner.text)") {
                try -inner.naive($0)
            }
        case 5: return choice(depth) { $0.real(depth - 1) }
        default:
            let (left, right) = (real(depth - 1), real(depth - 1))
            return Random(
                Expressions.Arithmetic(lhs: left.node, rhs: right.node, op: .multiply),
                "(\(left.text) * \(right.text))"
            ) { try left.naive($0) * right.naive($0) }
        }
    }
}

extension String {
    /// Whether the text contains other text, character by character.
    fileprivate func contains(other: String) -> Bool {
        let (characters, other) = (Array(self), Array(other))
        guard other.count <= characters.count else { return false }
        return (0...characters.count - other.count).contains {
            Array(characters[$0..<$0 + other.count]) == other
        }
    }
}
