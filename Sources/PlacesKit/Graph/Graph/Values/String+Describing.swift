import Foundation

extension String {
    /// The description of a value of any type, with its dates as those of a graph.
    ///
    /// On Linux, Foundation's own description of a date that is not a number stops the program.
    init(carefullyDescribing value: Any) {
        switch value {
        case let date as Date: self = date.datum.description
        case let list as [Any]: self = Self.list(list.map(Self.element))
        case let set as Set<AnyHashable>: self = Self.list(set.map { Self.element($0.base) })
        case let entries as [AnyHashable: Any] where !entries.isEmpty:
            self = Self.list(entries.map { "\(Self.element($0.base)): \(Self.element($1))" })
        default: self.init(describing: value)
        }
    }

    /// A value as its description stands in that of a collection.
    private static func element(_ value: Any) -> String {
        value is Date || value is any Collection && !(value is String)
            ? String(carefullyDescribing: value) : String(reflecting: value)
    }

    private static func list(_ elements: [String]) -> String {
        "[" + elements.joined(separator: ", ") + "]"
    }
}
