import Foundation

/// The value that the objects of a section share and that identifies the section.
///
/// ```swift
/// let results = try FetchedResultsController(request, sectionBy: \.takenAt?.country, in: context)
/// results.sections.first { $0.key == "France" }
/// results.sections[0].key.value as? String
/// ```
///
/// - Keys are equal if their values are equal by `==`: zeros of either sign are one key, and so are
///   canonically equivalent texts. All NaNs are one key too.
/// - `nil` is a key of its own, different from every text, even from `""` and `"nil"`.
/// - A value and an optional that holds it are one key. The key of an enum is its raw value.
public struct SectionKey: Hashable, Sendable {
    // Whatever it holds was made of what is sendable.
    private enum Content: @unchecked Sendable {
        case none
        /// What an attribute may hold, and the type of the attribute.
        case stored(Datum, any AttributeValue.Type)
        case other(any Hashable)
    }

    private let content: Content

    /// Makes the key of a value.
    public init(_ value: some Hashable & Sendable) { self = Self.key(of: value) }

    /// The key of what an attribute of a type holds.
    init(_ datum: Datum, of type: any AttributeValue.Type) {
        if datum == .null {
            content = .none
        } else if type.attributeType == .json, let value = type.wrapped(datum) as? any Hashable {
            // Equal values may be written differently.
            content = .other(value)
        } else {
            content = .stored(datum, type)
        }
    }

    /// The key of a value that a property gave which may be of any type: one of which nobody knows how it
    /// compares is told by its description.
    init(describing value: Any) {
        switch value {
        case let optional as any OptionalValue:
            self = optional.wrappedValue.map(Self.init(describing:)) ?? .none
        case let value as any AttributeValue: self.init(value.datum, of: type(of: value))
        case let object as ManagedObject: self.init(object.objectID)
        default: self.init(String(carefullyDescribing: value))
        }
    }

    private init(_ content: Content) { self.content = content }

    private static func key(of value: any Hashable) -> SectionKey {
        switch value {
        case let optional as any OptionalValue:
            (optional.wrappedValue as? any Hashable).map(key) ?? .none
        case let value as any AttributeValue: SectionKey(value.datum, of: type(of: value))
        default: SectionKey(.other(value))
        }
    }

    /// The key of objects without a value.
    public static let none = SectionKey(.none)

    /// The value, unwrapped if the property is optional; `nil` for objects without a value.
    public var value: Any? {
        switch content {
        case .none: nil
        case .stored(let datum, let type): type.wrapped(datum)
        case .other(let value): value
        }
    }

    /// The value as text: the name of a section unless you give it another.
    ///
    /// The name for `nil` is `""`, and text is its own name. Different keys may have the same name.
    public var name: String {
        switch content {
        case .none: ""
        case .stored(let datum, _): datum.sectionName
        case .other(let value as any AttributeValue): value.datum.sectionName
        case .other(let value): String(carefullyDescribing: value)
        }
    }

    /// Whether two keys are the same.
    public static func == (left: SectionKey, right: SectionKey) -> Bool {
        switch (left.content, right.content) {
        case (.none, .none): true
        case (.stored(let left, _), .stored(let right, _)): left.isSame(as: right)
        case (.other(let left), .other(let right)):
            left.isEqual(to: right) || left.isNotANumber && right.isNotANumber
        default: false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch content {
        case .stored(let datum, _) where !datum.isNotANumber: hasher.combine(datum)
        case .other(let value) where !value.isNotANumber: hasher.combine(value)
        case .none, .stored, .other: hasher.combine(0)
        }
    }
}

extension SectionKey: ExpressibleByStringLiteral {
    /// Makes the key of a text.
    public init(stringLiteral text: String) { self.init(text) }
}

extension SectionKey: CustomStringConvertible {
    /// The value as text, with quotation marks around strings.
    public var description: String {
        switch content {
        case .none: Datum.null.description
        case .stored(let datum, _): datum.description
        case .other(let value): String(carefullyDescribing: value)
        }
    }
}

// MARK: - Values of any type

extension Equatable {
    /// Whether this equals another value, of the same type.
    fileprivate func isEqual(to other: any Equatable) -> Bool {
        (other as? Self).map { self == $0 } ?? false
    }
}

extension AttributeValue {
    /// What an optional wraps, or the value itself, of what a column holds.
    fileprivate static func wrapped(_ datum: Datum) -> Any? {
        // What is not saved need not be a value of the type.
        guard let value = value(of: datum) else { return nil }
        guard let optional = value as? any OptionalValue else { return value }
        return optional.wrappedValue
    }
}

extension Datum {
    fileprivate var sectionName: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .double(let value) where value.isNaN: "nan"
        // Without the sign, which does not count.
        case .double(let value): (value + 0).description
        case .boolean, .integer, .unsigned, .decimal, .date, .uuid, .data: description
        }
    }
}
