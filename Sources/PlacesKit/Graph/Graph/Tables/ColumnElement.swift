public import Foundation

/// A type in which an attribute can be stored.
///
/// The set of types is closed on purpose. The code that scans, copies and hashes columns is
/// specialised for each of them, which is ten times faster than code that any type could join.
/// PlacesKit refuses a model with an attribute that is stored as any other type.
@_documentation(visibility: internal)
public protocol ColumnElement: Sendable, Hashable {
    /// The value of a row that was never written.
    static var unset: Self { get }
}

extension Bool: ColumnElement {}
extension Int64: ColumnElement {}
extension Double: ColumnElement {}
extension Decimal: ColumnElement {}
extension String: ColumnElement {}

extension ColumnElement where Self: ExpressibleByBooleanLiteral {
    /// `false`.
    @inlinable public static var unset: Self { false }
}

extension ColumnElement where Self: ExpressibleByIntegerLiteral {
    /// Zero.
    @inlinable public static var unset: Self { 0 }
}

extension ColumnElement where Self: ExpressibleByStringLiteral {
    /// The empty string.
    @inlinable public static var unset: Self { "" }
}

@_documentation(visibility: internal)
extension UUID: ColumnElement {
    /// The identifier of sixteen zero bytes.
    @inlinable public static var unset: UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

@_documentation(visibility: internal)
extension Data: ColumnElement {
    /// No bytes.
    @inlinable public static var unset: Data { Data() }
}

/// A count, a kind or a generation, which lie in columns like those of links.
@_documentation(visibility: internal)
extension Int32: ColumnElement {
    /// What a link holds that leads nowhere.
    @inlinable public static var unset: Int32 { Row.none.rawValue }
}
