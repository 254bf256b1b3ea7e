import Synchronization

/// Texts of a column that came again of late: one that comes once more is most often the same string, for which no
/// memory is needed and which groups find without a look at it.
///
/// Each text has one place, which its hash says. Of a text that comes for the first time only a piece of the hash is
/// kept there, so that texts that never come again cost no more than a look at that piece. Where texts hardly ever come
/// again the pool closes.
struct TextPool {
    /// The lengths in UTF-8 for which it pays: shorter texts lie in the string itself, and longer ones seldom come again.
    private static let lengths = 16...256
    /// After how many texts that did not come again it is looked whether others did.
    private static let trial = 1 << 12
    private static let capacities = (least: 1 << 6, greatest: 1 << 14)

    private var places: ContiguousArray<Place> = []
    /// The texts of the places that hold one; what lies elsewhere means nothing.
    private var texts: ContiguousArray<String> = []
    /// How many texts came again, and how many did not, since the last look.
    private var repeats = 0
    private var firsts = 0
    private var isClosed = false

    /// What is known of a text.
    private struct Place {
        private var bits: UInt32 = 0

        private static let isHeld: UInt32 = 1
        private static let isFresh: UInt32 = 2
        private static let flags = isHeld | isFresh

        /// A place that nobody has.
        init() {}

        /// The place of a text that came once.
        init(hash: Int) { bits = UInt32(truncatingIfNeeded: hash >> 32) & ~Self.flags }

        /// Whether the text is kept.
        var holdsText: Bool { bits & Self.isHeld != 0 }

        /// Whether the text was the last to come of those that belong here.
        var isFresh: Bool { bits & Self.isFresh != 0 }

        /// Whether it is most probably the place of a text of a hash.
        func fits(_ hash: Int) -> Bool { (bits ^ Place(hash: hash).bits) & ~Self.flags == 0 }

        /// Says that the text came again, and is kept.
        mutating func hold() { bits |= Self.flags }

        /// Says that another text came.
        mutating func age() { bits &= ~Self.isFresh }
    }

    /// The string of a text of valid UTF-8 that came before; `nil` for one that came for the first time, as far as is
    /// known.
    @inline(__always)
    mutating func text(_ utf8: UnsafeRawBufferPointer) -> String? {
        guard Self.lengths.contains(utf8.count), !isClosed else { return nil }
        return pooled(utf8)
    }

    @inline(never)
    private mutating func pooled(_ utf8: UnsafeRawBufferPointer) -> String? {
        if places.isEmpty { grow() }
        let hash = ValueHash.hash(utf8)
        let position = hash & (places.count - 1)
        guard places[position].fits(hash) else {
            if places[position].isFresh {
                places[position].age()
            } else {
                places[position] = Place(hash: hash)
            }
            countFirst()
            return nil
        }
        if places[position].holdsText {
            guard texts[position].isEqual(to: utf8) else { return nil }
            places[position].hold()
            repeats += 1
            return texts[position]
        }
        let text = String(decoding: utf8, as: UTF8.self)
        texts[position] = text
        places[position].hold()
        repeats += 1
        return text
    }

    /// Counts a text that came for the first time, as far as is known.
    private mutating func countFirst() {
        firsts += 1
        if firsts == Self.trial {
            isClosed = repeats * 16 < firsts
            (repeats, firsts) = (0, 0)
            if isClosed { (places, texts) = ([], []) } else { grow() }
        } else if firsts == places.count {
            grow()
        }
    }

    private mutating func grow() {
        let former = (places: places, texts: texts)
        let count = min(
            max(Self.capacities.least, places.count * 4), Self.capacities.greatest)
        guard count > places.count else { return }
        places = ContiguousArray(repeating: Place(), count: count)
        texts = ContiguousArray(repeating: "", count: count)
        for (place, text) in zip(former.places, former.texts) where place.holdsText {
            text.utf8.withContiguousStorageIfAvailable {
                let position = ValueHash.hash(UnsafeRawBufferPointer($0)) & (count - 1)
                (places[position], texts[position]) = (place, text)
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
