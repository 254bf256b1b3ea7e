public import PlacesBase

/// A type whose values an attribute holds in parts, each in a column of its own.
///
/// ```swift
/// struct Address: CompositeAttribute {
///     var street = ""
///     var city = ""
///     var zip: String?
///
///     static let parts: [CompositePart<Address>] = [
///         .part("street", \.street), .part("city", \.city), .part("zip", \.zip),
///     ]
/// }
///
/// final class Customer: ManagedObject {
///     @Composite var home = Address()
///     @Composite var work: Address?
/// }
/// ```
///
/// Requests filter, sort, group and section by parts, as in `$0.home.city == "Paris"` or `"home.city"`, and an index may
/// be of parts: `.index(\Customer.home.city)`. Files have a value for each part, named `home.city`.
public protocol CompositeAttribute: CompositeValue where Whole == Self {
    /// What the value consists of: all that its equality depends on.
    ///
    /// Parts that are left out are those of `init()` when a value is read.
    static var parts: [CompositePart<Self>] { get }

    /// Makes a value to which the parts are then given.
    init()
}

/// A part of a composite attribute: see ``CompositeAttribute``.
public struct CompositePart<Whole: Sendable>: Sendable {
    /// The part's name, which files and predicate formats have behind that of the attribute and a dot.
    public let name: String
    /// Whether a value of the composite type may lack the part.
    let isOptional: Bool
    let keyPath: any PartialKeyPath<Whole> & Sendable
    /// Gives a value the part that a block holds at an offset.
    let read: @Sendable (inout Whole, UnsafeMutableRawPointer, Int) -> Void
    /// Writes the part of a value, or of none, to a slot of an object.
    let write: @Sendable (Whole?, ManagedObject, Slot) -> Void
    /// Tells a recorder of the part, of its default, and whether the whole may be missing.
    let record: @Sendable (PropertyRecorder, Whole?, Bool) -> Void
    /// Whether the part is of a `Codable` type, whose JSON may differ where values are equal.
    let isJSON: Bool
    /// The part of a value without its type.
    let datum: @Sendable (Whole) -> Datum

    /// Describes a part that is an attribute's value itself.
    ///
    /// - Parameters:
    ///   - name: The name, without a dot.
    ///   - keyPath: A stored property of the composite type.
    /// - Returns: The part, for the list of parts.
    public static func part<Value: AttributeValue>(
        _ name: String, _ keyPath: any WritableKeyPath<Whole, Value> & Sendable
    ) -> CompositePart {
        CompositePart(
            name: name, isOptional: Value.isOptional, keyPath: keyPath,
            read: { whole, block, offset in
                let stored = block.elements(of: Value.Stored.self)[offset]
                if Value.isOptional {
                    whole[keyPath: keyPath] = Value(
                        stored: stored, isValid: block.isValid(at: offset))
                } else if block.isValid(at: offset), let value = Value(stored: stored) {
                    // What nobody gave a value, or is none of the type, stays that of `init()`.
                    whole[keyPath: keyPath] = value
                }
            },
            write: { whole, object, slot in
                let part = whole?[keyPath: keyPath]
                object._write(
                    Value.isKeptAsJSON
                        ? part.flatMap { object._json(of: $0, slot.rawValue) } : part?.storedIfAny,
                    slot: slot)
            },
            record: { recorder, whole, isOptional in
                if isOptional, !Value.isOptional {
                    recorder.record(
                        whole.map { Optional($0[keyPath: keyPath]) }, nil, options: [])
                } else {
                    recorder.record(whole?[keyPath: keyPath], nil, options: [])
                }
            },
            isJSON: Value.attributeType == .json, datum: { $0[keyPath: keyPath].datum })
    }
}

/// What a composite property holds: a composite attribute, or one that may be missing.
@_documentation(visibility: internal)
public protocol CompositeValue: Equatable, Sendable {
    /// The composite attribute.
    associatedtype Whole: CompositeAttribute

    /// Whether there may be none.
    static var mayBeMissing: Bool { get }
    /// Takes what was read; `nil` where no part has a value.
    init(whole: Whole?)
    /// The composite attribute, if there is one.
    var whole: Whole? { get }
}

@_documentation(visibility: internal)
extension CompositeAttribute {
    /// `false`.
    public static var mayBeMissing: Bool { false }
    /// Takes what was read.
    @_disfavoredOverload
    public init(whole: Self?) { self = whole ?? Self() }
    /// The value itself.
    public var whole: Self? { self }
}

@_documentation(visibility: internal)
extension Optional: CompositeValue where Wrapped: CompositeAttribute {
    /// `true`.
    public static var mayBeMissing: Bool { true }
    /// Takes what was read.
    @_disfavoredOverload
    public init(whole: Wrapped?) { self = whole }
    /// The value itself.
    public var whole: Wrapped? { self }
}

/// A point of the Earth is its latitude and its longitude.
extension Coordinate: CompositeAttribute {
    /// The latitude and the longitude.
    public static let parts: [CompositePart<Coordinate>] = [
        .part("latitude", \.latitude), .part("longitude", \.longitude),
    ]

    /// Makes the point to which its parts are given when it is read.
    @_documentation(visibility: internal)
    public init() { self.init(latitude: 0, longitude: 0) }
}
