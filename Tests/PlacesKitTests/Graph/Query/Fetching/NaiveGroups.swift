import Foundation
import PlacesKit

/// A key path of specimens, and how its values are told apart and ordered.
protocol SpecimenPath: Sendable {
    associatedtype Value: Hashable & Sendable & SendableMetatype
    var keyPath: any KeyPath<Specimen, Value> & Sendable { get }
}

struct PathCase<Value: Hashable & Sendable & SendableMetatype>: SpecimenPath {
    let keyPath: any KeyPath<Specimen, Value> & Sendable

    init(_ keyPath: any KeyPath<Specimen, Value> & Sendable) { self.keyPath = keyPath }
}

extension SpecimenPath {
    /// What a specimen's value is told by; `nil` for no value.
    func name(of specimen: Specimen) -> String? { naiveName(specimen[keyPath: keyPath]) }

    /// Specimens by the names of their values, in the order in which these first come.
    func groups(of specimens: [Specimen]) -> [(name: String?, members: [Specimen])] {
        var groups: [(name: String?, members: [Specimen])] = []
        var positions: [String?: Int] = [:]
        for specimen in specimens {
            let name = name(of: specimen)
            if let position = positions[name] {
                groups[position].members.append(specimen)
            } else {
                positions[name] = groups.count
                groups.append((name, [specimen]))
            }
        }
        return groups
    }
}

/// What a value is told by: zeros, what is not a number, and equivalent texts are one each.
func naiveName<Value>(_ value: Value) -> String? {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
        return mirror.children.first.flatMap { naiveName($0.value) }
    }
    switch value {
    case let number as Double: return number == 0 ? "0" : "\(number)"
    case let number as Float: return number == 0 ? "0" : "\(number)"
    case let date as Date: return "\(date.timeIntervalSinceReferenceDate)"
    case let text as String: return text.decomposedStringWithCanonicalMapping
    case let data as Data: return data.base64EncodedString()
    default:
        // Of several keys: dates that are far away are written alike.
        guard mirror.displayStyle == .tuple || "\(mirror.subjectType)".hasPrefix("GroupKeys<")
        else {
            return "\(value)"
        }
        return mirror.children.map { naiveName($0.value) ?? "nil" }.description
    }
}

/// The first of some values that comes before all others; `nil` where there is none.
func naiveFirst<Value>(_ values: [Value?], before: (Value, Value) -> Bool) -> Value? {
    values.reduce(nil) { best, value in
        guard let value else { return best }
        return best.map { before(value, $0) ? value : $0 } ?? value
    }
}

/// The order of composed bytes.
func naiveOrder(_ left: String, _ right: String) -> Bool {
    left.precomposedStringWithCanonicalMapping.utf8
        .lexicographicallyPrecedes(right.precomposedStringWithCanonicalMapping.utf8)
}

/// The order of numbers, with what is not a number at the end.
func naiveOrder(_ left: Double, _ right: Double) -> Bool {
    !left.isNaN && (right.isNaN || left < right)
}
