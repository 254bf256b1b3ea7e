import Foundation
import PlacesKit

@testable import PlacesGraph
@testable import PlacesKitTests

/// Makes random predicate formats about specimens, and says what they come to.
struct FormatGenerator {
    /// A part of a format string, and what it comes to for the objects around it, the innermost last.
    struct Part<Value> {
        var text: String
        var value: ([ManagedObject]) -> Value
    }

    var random: SplitMix64
    private(set) var arguments: [Any?] = []
    /// The variables of the subqueries around; the first is the object itself.
    private var scopes: [(prefix: String, isTag: Bool)] = []

    init(seed: UInt64) { random = SplitMix64(seed: RunSeed.mixed(seed)) }

    /// A format string, its arguments, and whether an object satisfies it.
    mutating func format() -> (text: String, arguments: [Any?], holds: (Specimen) -> Bool) {
        arguments = []
        scopes = [("", false)]
        let part = predicate(4)
        return (part.text, arguments, { part.value([$0]) })
    }

    private mutating func chance(_ count: Int) -> Bool { random.below(count) == 0 }

    // MARK: - Predicates

    private mutating func predicate(_ depth: Int) -> Part<Bool> {
        guard depth > 0, !chance(5) else { return comparison(depth) }
        switch random.below(7) {
        case 0, 1:
            let (left, right) = (predicate(depth - 1), predicate(depth - 1))
            return Part(text: "(\(left.text) \(random.pick(["AND", "&&", "and"])) \(right.text))") {
                left.value($0) && right.value($0)
            }
        case 2, 3:
            let (left, right) = (predicate(depth - 1), predicate(depth - 1))
            return Part(text: "(\(left.text) \(random.pick(["OR", "||"])) \(right.text))") {
                left.value($0) || right.value($0)
            }
        case 4:
            let inner = predicate(depth - 1)
            return Part(text: "\(random.pick(["NOT ", "!"]))(\(inner.text))") { !inner.value($0) }
        case 5: return quantified(depth)
        default: return comparison(depth)
        }
    }

    private mutating func comparison(_ depth: Int) -> Part<Bool> {
        switch random.below(8) {
        case 0, 1: return text()
        case 2:
            let scope = specimen()
            let answer = chance(2)
            let path = "\(scope.text)maybeFlag"
            return Part(text: "\(path) \(answer ? "== YES" : "!= TRUE")") {
                (scope.value($0).maybeFlag == true) == answer
            }
        case 3:
            let value = number(1)
            let (low, high) = (number(0), number(0))
            return Part(text: "\(value.text) BETWEEN {\(low.text), \(high.text)}") {
                let value = value.value($0)
                return value.compares(.greaterOrEqual, low.value($0))
                    && value.compares(.lessOrEqual, high.value($0))
            }
        case 4:
            let value = number(1)
            var list: [Part<FormatNumber>] = []
            for _ in 0..<1 + random.below(3) { list.append(number(0)) }
            let answer = !chance(3)
            return Part(
                text: "\(value.text) \(answer ? "IN" : "NOT IN") "
                    + "{\(list.map(\.text).joined(separator: ", "))}"
            ) { objects in
                let value = value.value(objects)
                return list.contains { value.compares(.equal, $0.value(objects)) } == answer
            }
        case 5: return list()
        default:
            let left = number(depth)
            let (sign, operation) = sign()
            let right = number(depth)
            return Part(text: "\(left.text) \(sign) \(right.text)") {
                left.value($0).compares(operation, right.value($0))
            }
        }
    }

    private mutating func sign() -> (String, ComparisonOperator) {
        random.pick([
            ("==", .equal), ("=", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less),
            ("<=", .lessOrEqual), (">", .greater), ("=>", .greaterOrEqual), (">=", .greaterOrEqual),
        ])
    }

    /// `ANY`, `ALL` or `NONE` of what the members of a relationship have.
    private mutating func quantified(_ depth: Int) -> Part<Bool> {
        let scope = specimen()
        let quantifier = random.pick(["ANY", "SOME", "ALL", "NONE"])
        let (sign, operation) = sign()
        let right = number(0)
        return Part(text: "\(quantifier) \(scope.text)children.maybeInteger \(sign) \(right.text)")
        {
            objects in
            let limit = right.value(objects)
            let answers = scope.value(objects).children.map {
                FormatNumber($0.maybeInteger).compares(operation, limit)
            }
            return switch quantifier {
            case "ALL": answers.allSatisfy(\.self)
            case "NONE": !answers.contains(true)
            default: answers.contains(true)
            }
        }
    }

    /// `ANY`, `ALL` or `NONE` of the elements of a list, or two lists that equal.
    private mutating func list() -> Part<Bool> {
        var list: [Part<FormatNumber>] = []
        for _ in 0..<random.below(4) { list.append(number(1)) }
        let text = "{\(list.map(\.text).joined(separator: ", "))}"
        let right = number(1)
        if chance(5) {
            let answer = list.count == 1
            return Part(text: "\(text) == {\(right.text)}") { objects in
                answer && list[0].value(objects).compares(.equal, right.value(objects))
            }
        }
        let quantifier = random.pick(["ANY", "SOME", "ALL", "NONE"])
        let (sign, operation) = sign()
        return Part(text: "\(quantifier) \(text) \(sign) \(right.text)") { objects in
            let limit = right.value(objects)
            let answers = list.map { $0.value(objects).compares(operation, limit) }
            return switch quantifier {
            case "ALL": answers.allSatisfy(\.self)
            case "NONE": !answers.contains(true)
            default: answers.contains(true)
            }
        }
    }

    private mutating func specimen() -> Part<Specimen> {
        let index = random.pick(scopes.indices.filter { !scopes[$0].isTag })
        return Part(text: scopes[index].prefix) { objects in
            guard let specimen = objects[index] as? Specimen else {
                preconditionFailure("a scope is no specimen")
            }
            return specimen
        }
    }

    // MARK: - Text

    private mutating func text() -> Part<Bool> {
        let left = string()
        var folding: TextFolding = []
        var modifier = ""
        switch random.below(4) {
        case 0: (folding, modifier) = (.caseInsensitive, "[c]")
        case 1: (folding, modifier) = ([.caseInsensitive, .diacriticInsensitive], "[cd]")
        default: break
        }
        let operation = random.pick(["==", "!=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "<"])
        let right = string()
        return Part(text: "\(left.text) \(operation)\(modifier) \(right.text)") {
            let left = left.value($0).map(folding.fold)
            let right = right.value($0).map(folding.fold)
            switch operation {
            case "==": return left == right
            case "!=": return left != right
            default: break
            }
            guard let left, let right else { return false }
            if operation == "<" {
                return left.precomposedStringWithCanonicalMapping.utf8.lexicographicallyPrecedes(
                    right.precomposedStringWithCanonicalMapping.utf8)
            }
            let (all, part) = (Array(left), Array(right))
            guard !part.isEmpty, part.count <= all.count else { return false }
            return switch operation {
            case "BEGINSWITH": Array(all.prefix(part.count)) == part
            case "ENDSWITH": Array(all.suffix(part.count)) == part
            default:
                (0...all.count - part.count).contains { Array(all[$0..<$0 + part.count]) == part }
            }
        }
    }

    private mutating func string() -> Part<String?> {
        switch random.below(6) {
        case 0, 1:
            let text = random.pick(SpecimenWorld.texts)
            if chance(2) {
                arguments.append(text)
                return Part(text: "%@") { _ in text }
            }
            return Part(text: quoted(text)) { _ in text }
        case 2:
            let scope = specimen()
            return Part(text: "\(scope.text)text") { scope.value($0).text }
        case 3:
            let scope = specimen()
            return Part(text: "\(scope.text)maybeText") { scope.value($0).maybeText }
        case 4:
            let inner = string()
            return chance(2)
                ? Part(text: "uppercase(\(inner.text))") { inner.value($0)?.uppercased() }
                : Part(text: "lowercase(\(inner.text))") { inner.value($0)?.lowercased() }
        default:
            let scope = specimen()
            return Part(text: "\(scope.text)shelf.name") { scope.value($0).shelf?.name }
        }
    }

    private mutating func quoted(_ text: String) -> String {
        let quote: Character = chance(2) ? "\"" : "'"
        let inside = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\"", "'", "\\": "\\\(scalar)"
            default: String(scalar)
            }
        }
        return "\(quote)\(inside.joined())\(quote)"
    }

    // MARK: - Numbers

    private mutating func number(_ depth: Int) -> Part<FormatNumber> {
        switch random.below(depth > 0 ? 19 : 2) {
        case 0: return constant()
        case 18:
            let scope = specimen()
            return Part(text: "minute(\(scope.text)maybeDate, 'GMT+0530')") {
                FormatNumber(
                    scope.value($0).maybeDate.flatMap {
                        let seconds = $0.timeIntervalSinceReferenceDate
                        // No calendar goes further.
                        if abs(seconds) > 6.4e10 { return Int?.none }
                        let minutes = Int((seconds / 60).rounded(.down))
                        return ((minutes + 30) % 60 + 60) % 60
                    })
            }
        case 15, 16: return function(depth)
        case 17:
            let (test, first, second) = (predicate(depth - 1), number(depth - 1), number(depth - 1))
            return Part(text: "TERNARY(\(test.text), \(first.text), \(second.text))") {
                test.value($0) ? first.value($0) : second.value($0)
            }
        case 11: return length()
        case 12:
            let scope = specimen()
            return Part(text: "\(scope.text)maybeFloat") {
                FormatNumber(scope.value($0).maybeFloat.map(Double.init))
            }
        case 13, 14: return bits()
        case 1:
            let scope = specimen()
            return Part(text: "\(scope.text)integer") { FormatNumber(scope.value($0).integer) }
        case 2:
            let scope = specimen()
            return Part(text: "\(scope.text)maybeInteger") {
                FormatNumber(scope.value($0).maybeInteger)
            }
        case 3:
            let scope = specimen()
            return Part(text: "\(scope.text)maybeDouble") {
                FormatNumber(scope.value($0).maybeDouble)
            }
        case 4:
            let scope = specimen()
            return Part(text: "\(scope.text)shelf.height") {
                FormatNumber(scope.value($0).shelf.flatMap(\.height))
            }
        case 5:
            let scope = specimen()
            return Part(text: "\(scope.text)tags.@count") {
                .whole(Int64(scope.value($0).tags.count))
            }
        case 6:
            let scope = specimen()
            let function = random.pick(["sum", "min", "max"])
            return Part(text: "\(scope.text)tags.@\(function).weight") {
                let weights = scope.value($0).tags.map(\.weight)
                return switch function {
                case "sum": FormatNumber(weights.reduce(0, +))
                case "min": FormatNumber(weights.min())
                default: FormatNumber(weights.max())
                }
            }
        case 7: return subquery(depth)
        case 8:
            let inner = number(depth - 1)
            return Part(text: "-(\(inner.text))") { FormatNumber.whole(0).minus(inner.value($0)) }
        default:
            let left = number(depth - 1)
            let sign = random.pick(["+", "-", "*", "/"])
            let right = number(depth - 1)
            return Part(text: "(\(left.text) \(sign) \(right.text))") {
                let (left, right) = (left.value($0), right.value($0))
                return switch sign {
                case "+": left.plus(right)
                case "-": left.minus(right)
                case "*": left.times(right)
                default: left.divided(by: right)
                }
            }
        }
    }

    private mutating func function(_ depth: Int) -> Part<FormatNumber> {
        let inner = number(depth - 1)
        let (name, function): (String, (Double) -> Double) = random.pick([
            ("abs", { abs($0) }), ("floor", { $0.rounded(.down) }),
            ("ceiling", { $0.rounded(.up) }),
            ("trunc", { $0.rounded(.towardZero) }), ("SQRT", { $0.squareRoot() }),
        ])
        return Part(text: "\(name)(\(inner.text))") {
            switch (inner.value($0), name) {
            case (.none, _): return .none
            case (let value, "SQRT"):
                guard let value = value.double, value >= 0 else { return .none }
                return .real(value.squareRoot())
            case (.whole(let value), "abs"):
                return value == .min ? .real(0x1p63) : .whole(abs(value))
            case (.whole(let value), _): return .whole(value)
            case (.real(let value), _): return .real(function(value))
            }
        }
    }

    private mutating func length() -> Part<FormatNumber> {
        let scope = specimen()
        switch random.below(3) {
        case 0:
            return Part(text: "\(scope.text)text.length") {
                FormatNumber(scope.value($0).text.utf16.count)
            }
        case 1:
            return Part(text: "\(scope.text)maybeText.length") {
                FormatNumber(scope.value($0).maybeText?.utf16.count)
            }
        default:
            return Part(text: "\(scope.text)shelf.name.length") {
                FormatNumber(scope.value($0).shelf?.name.utf16.count)
            }
        }
    }

    /// What the bits of a column and those of another number are made into.
    private mutating func bits() -> Part<FormatNumber> {
        let left = specimen()
        let right = length()
        let (sign, operation): (String, (Int64, Int64) -> Int64) = random.pick([
            ("&", { $0 & $1 }), ("|", { $0 | $1 }), ("^", { $0 ^ $1 }),
        ])
        return Part(text: "(~\(left.text)integer \(sign) \(right.text))") {
            guard case .whole(let bits) = right.value($0) else { return .none }
            return .whole(operation(~Int64(left.value($0).integer), bits))
        }
    }

    private mutating func constant() -> Part<FormatNumber> {
        if chance(4) {
            let value = random.pick([-2.5, 0, 0.5, 1e300, 7])
            return Part(text: "\(value)") { _ in .real(value) }
        }
        let value = random.pick(SpecimenWorld.integers)
        guard value > .min, chance(2) else {
            arguments.append(value)
            return Part(text: "%d") { _ in FormatNumber(value) }
        }
        return Part(text: "\(value)") { _ in FormatNumber(value) }
    }

    private mutating func subquery(_ depth: Int) -> Part<FormatNumber> {
        let scope = specimen()
        let variable = "$v\(scopes.count)"
        scopes.append(("\(variable).", false))
        let test = predicate(depth - 1)
        scopes.removeLast()
        return Part(text: "SUBQUERY(\(scope.text)children, \(variable), \(test.text)).@count") {
            objects in
            let count = scope.value(objects).children.count { test.value(objects + [$0]) }
            return .whole(Int64(count))
        }
    }
}

/// A number of a format string, or none.
enum FormatNumber {
    case none
    case whole(Int64)
    case real(Double)

    init(_ value: Int?) { self = value.map { .whole(Int64($0)) } ?? .none }

    init(_ value: Double?) { self = value.map(Self.real) ?? .none }

    fileprivate var double: Double? {
        switch self {
        case .none: nil
        case .whole(let value): Double(value)
        case .real(let value): value
        }
    }

    private func combined(
        _ other: FormatNumber,
        _ whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ real: (Double, Double) -> Double
    ) -> FormatNumber {
        if case .whole(let a) = self, case .whole(let b) = other {
            let result = whole(a, b)
            if !result.overflow { return .whole(result.partialValue) }
        }
        guard let a = double, let b = other.double else { return .none }
        return .real(real(a, b))
    }

    func plus(_ other: FormatNumber) -> FormatNumber {
        combined(other, { $0.addingReportingOverflow($1) }, +)
    }

    func minus(_ other: FormatNumber) -> FormatNumber {
        combined(other, { $0.subtractingReportingOverflow($1) }, -)
    }

    func times(_ other: FormatNumber) -> FormatNumber {
        combined(other, { $0.multipliedReportingOverflow(by: $1) }, *)
    }

    func divided(by other: FormatNumber) -> FormatNumber {
        guard let divisor = other.double, divisor != 0 else { return .none }
        return combined(other, { $0.dividedReportingOverflow(by: $1) }, /)
    }

    /// Whether two numbers compare so, none of them rounded.
    func compares(_ operation: ComparisonOperator, _ other: FormatNumber) -> Bool {
        switch (self, other) {
        case (.none, .none): [.equal, .lessOrEqual, .greaterOrEqual].contains(operation)
        case (.none, _), (_, .none): operation == .notEqual
        case (.whole(let a), .whole(let b)): operation.holds(a, b)
        case (.real(let a), .real(let b)): operation.holds(a, b)
        case (.whole(let a), .real(let b)): Self.compares(a, operation, b)
        case (.real(let a), .whole(let b)): Self.compares(b, operation.mirrored, a)
        }
    }

    private static func compares(
        _ whole: Int64, _ operation: ComparisonOperator, _ real: Double
    ) -> Bool {
        if real.isNaN { return operation == .notEqual }
        if let exact = Int64(exactly: real) { return operation.holds(whole, exact) }
        if abs(real) >= 0x1p63 { return operation.holds(0, real) }
        // From 2^53 on no number has a fraction, so rounding cannot bring the two together.
        return operation.holds(Double(whole), real)
    }
}
