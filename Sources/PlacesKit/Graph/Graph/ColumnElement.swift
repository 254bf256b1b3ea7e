public import Foundation

/// A type that a column can hold.
///
/// The set is closed on purpose: the code that scans, copies and hashes columns is specialised for
/// each of its members, which is ten times faster than code that any type could join. Every
/// attribute type maps onto one of them, so do not conform types of your own.
public protocol ColumnElement: Sendable, Hashable {
    /// What a row holds that was never written.
    static var unset: Self { get }
}

extension Bool: ColumnElement {
    /// `false`.
    @inlinable public static var unset: Bool { false }
}

extension Int64: ColumnElement {
    /// Zero.
    @inlinable public static var unset: Int64 { 0 }
}

extension Double: ColumnElement {
    /// Zero.
    @inlinable public static var unset: Double { 0 }
}

extension Decimal: ColumnElement {
    /// Zero.
    @inlinable public static var unset: Decimal { Decimal() }
}

extension String: ColumnElement {
    /// The empty string.
    @inlinable public static var unset: String { "" }
}

extension UUID: ColumnElement {
    /// The identifier of sixteen zero bytes.
    @inlinable public static var unset: UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

extension Data: ColumnElement {
    /// No bytes.
    @inlinable public static var unset: Data { Data() }
}

/// The row of another object, or `noRow`.
extension Int32: ColumnElement {
    /// No row.
    @inlinable public static var unset: Int32 { noRow }
}

/// The reference that leads nowhere.
@usableFromInline let noRow: Int32 = -1
