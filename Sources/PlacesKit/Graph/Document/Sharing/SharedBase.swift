public import Foundation

/// A shared document as a commit left it, from which those begin who come anew or were away for long.
///
/// A log keeps the newest one, and may then forget commits that came before it. It knows nothing of what is in it.
public struct SharedBase: Sendable {
    /// The number of the commit.
    public let number: Int
    /// The content, in parts of about a megabyte, each of which comes when it is asked for; it can be read once.
    public let parts: AsyncThrowingStream<Data, any Error>
    /// The values to which the content refers, each once.
    public internal(set) var values: [SharedValue]

    /// Makes a base of what was kept.
    ///
    /// - Parameters:
    ///   - number: The number of the commit.
    ///   - parts: The content, in parts of any length.
    ///   - values: The values to which the content refers.
    public init(
        number: Int, parts: AsyncThrowingStream<Data, any Error>, values: [SharedValue]
    ) {
        (self.number, self.parts, self.values) = (number, parts, values)
    }

    /// Makes a base of bytes in memory.
    package init(
        number: Int, _ bytes: [UInt8], values: [SharedValue], partSize: Int = 1 << 20
    ) {
        // Slices share the bytes.
        let content = Data(bytes)
        self.init(
            number: number,
            parts: AsyncThrowingStream { parts in
                for start in stride(from: 0, to: content.count, by: partSize) {
                    parts.yield(content[start..<min(start + partSize, content.count)])
                }
                parts.finish()
            }, values: values)
    }

    /// The same base, whose values somebody else fetches.
    package func fetching(
        _ bytes: @escaping @Sendable (_ digest: String) async throws -> Data
    ) -> SharedBase {
        SharedBase(number: number, parts: parts, values: values.map { $0.fetching(bytes) })
    }

    /// The whole content.
    ///
    /// - Throws: What the parts throw, or `CancellationError`: for a cancelled task they may end before all have come.
    package func content() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await part in parts { bytes += part }
        try Task.checkCancellation()
        return bytes
    }
}
