import Foundation
import PlacesBase
import Synchronization

/// The long texts and data of a binary property list that were read, by the offsets where they lie.
///
/// A list may name one of them a million times, and so they are made once, for all that read it together. Short
/// ones are made each time, which costs less than looking them up: at most two hundred times the byte that
/// names one.
final class SharedValues: Sendable {
    private struct State {
        var texts: [Int: String] = [:]
        var unescapedTexts: [Int: String] = [:]
        var data: [Int: Data] = [:]
        /// True at the offsets of texts that are JSON.
        var jsonTexts: [Int: Bool] = [:]
    }

    /// From which length on texts and data are made once.
    static let length = 128
    private let state = Mutex(State())

    /// The text of a number of characters at an offset, made if it is not there.
    func text(
        at offset: Int, count: Int, _ make: () throws(JSONError) -> String
    ) throws(JSONError) -> String {
        guard count >= Self.length else { return try make() }
        return try value(\.texts, at: offset, make)
    }

    /// What the text at an offset means where some begin with a dollar sign that is not meant.
    func unescaped(_ text: String, at offset: Int, _ unescape: (String) -> String) -> String {
        guard text.utf8.count >= Self.length else { return unescape(text) }
        return value(\.unescapedTexts, at: offset) { unescape(text) }
    }

    /// The data of some bytes at an offset, made if it is not there.
    func data(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Data {
        guard bytes.count >= Self.length else { return Data(bytes) }
        return value(\.data, at: offset) { Data(bytes) }
    }

    /// Checks that the text at an offset is JSON, unless it was found to be before.
    func checkJSON(
        _ text: String, at offset: Int, _ check: () throws(JSONError) -> Void
    ) throws(JSONError) {
        guard text.utf8.count >= Self.length else { return try check() }
        _ = try value(\.jsonTexts, at: offset) { () throws(JSONError) in
            try check()
            return true
        }
    }

    /// The value at an offset, made if it is not there.
    private func value<Value: Sendable, Failure: Error>(
        _ values: WritableKeyPath<State, [Int: Value]>, at offset: Int,
        _ make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let value = state.withLock({ $0[keyPath: values][offset] }) { return value }
        let value = try make()
        state.withLock { $0[keyPath: values][offset] = value }
        return value
    }
}
