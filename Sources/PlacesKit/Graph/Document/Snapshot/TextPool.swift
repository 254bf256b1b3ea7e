import Foundation
import Synchronization

/// Texts of a column that were read of late: one that comes again is most often the same string, for which no memory is
/// needed and which groups find without a look at it.
///
/// Where texts hardly ever come again the pool closes, and makes them all.
struct TextPool {
    /// The lengths in UTF-8 for which it pays: shorter texts lie in the string itself, and longer ones seldom come again.
    private static let lengths = 16...256
    /// After how many texts that did not come again it is looked whether others did.
    private static let trial = 1 << 12
    private static let capacities = (least: 1 << 6, greatest: 1 << 14)

    /// Each text lies where its hash says, until another one takes its place.
    private var texts: ContiguousArray<String> = []
    /// How many texts came again, and how many did not, since the last look.
    private var found = 0
    private var missed = 0
    private var isClosed = false

    /// A text of valid UTF-8.
    @inline(__always)
    mutating func text(_ utf8: UnsafeRawBufferPointer) -> String {
        guard Self.lengths.contains(utf8.count), !isClosed else {
            return String(decoding: utf8, as: UTF8.self)
        }
        return pooled(utf8) { String(decoding: utf8, as: UTF8.self) }
    }

    /// A text, or one equal to it that came before.
    mutating func text(_ text: String) -> String {
        guard Self.lengths.contains(text.utf8.count), !isClosed else { return text }
        return text.utf8.withContiguousStorageIfAvailable {
            pooled(UnsafeRawBufferPointer($0)) { text }
        } ?? text
    }

    @inline(never)
    private mutating func pooled(
        _ utf8: UnsafeRawBufferPointer, _ make: () -> String
    ) -> String {
        if texts.isEmpty { grow() }
        let position = position(of: utf8)
        let isHere =
            texts[position].utf8.withContiguousStorageIfAvailable { known in
                guard known.count == utf8.count, let known = known.baseAddress,
                    let asked = utf8.baseAddress
                else { return false }
                return memcmp(known, asked, utf8.count) == 0
            } ?? false
        if isHere {
            found += 1
            return texts[position]
        }
        let text = make()
        texts[position] = text
        missed += 1
        if missed == Self.trial {
            isClosed = found * 16 < missed
            (found, missed) = (0, 0)
            if isClosed { texts = [] } else { grow() }
        } else if missed == texts.count {
            grow()
        }
        return text
    }

    private func position(of utf8: UnsafeRawBufferPointer) -> Int {
        ValueHash.hash(utf8) & (texts.count - 1)
    }

    private mutating func grow() {
        let former = texts
        let count = min(
            max(Self.capacities.least, former.count * 4), Self.capacities.greatest)
        guard count > former.count else { return }
        texts = ContiguousArray(repeating: "", count: count)
        for text in former where !text.isEmpty {
            text.utf8.withContiguousStorageIfAvailable {
                texts[position(of: UnsafeRawBufferPointer($0))] = text
            }
        }
    }
}

/// The pools of an entity's texts, some for each thread that reads its objects.
final class TextPools: Sendable {
    /// The pools of the columns of text, in the order of the properties.
    typealias Columns = ContiguousArray<TextPool>

    private let unused = Mutex<[Columns]>([])

    /// Pools for a number of columns, which nobody else has until they are given back.
    func take(_ count: Int) -> Columns {
        unused.withLock { $0.popLast() } ?? Columns(repeating: TextPool(), count: count)
    }

    func giveBack(_ columns: Columns) { unused.withLock { $0.append(columns) } }
}
