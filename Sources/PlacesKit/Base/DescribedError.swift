public import Foundation

/// An error whose description says what is wrong, where, and what to do.
public protocol DescribedError: LocalizedError, CustomStringConvertible, Sendable {}

extension DescribedError {
    /// The description, for `localizedDescription`.
    public var errorDescription: String? { description }
}
