import PlacesBase

/// The keys that objects of one kind are known to have, spelled out as JSON once.
package struct JSONKeyTable: Sendable {
    package let names: [String]

    /// `"name":` of every key, one after another.
    private let spellings: [UInt8]

    /// Where the spelling of each key begins, and where the last one ends.
    private let bounds: [Int]

    /// Whether no name has to be escaped.
    private let isPlain: Bool

    /// A table in which a key is known by its position among `names`.
    package init(_ names: [String]) {
        var spellings: [UInt8] = []
        var bounds = [0]
        for name in names {
            var writer = JSONWriter()
            writer.writeKey(name)
            spellings += writer.bytes
            bounds.append(spellings.count)
        }
        self.names = names
        self.bounds = bounds
        self.spellings = spellings
        isPlain = spellings.count == names.reduce(0) { $0 + $1.utf8.count + 3 }
    }

    /// The index of a key; names are the same if they have the same scalars.
    package func index(of name: String) -> Int? {
        names.firstIndex { $0.unicodeScalars.elementsEqual(name.unicodeScalars) }
    }

    /// The index of a key of plain ASCII, tried from one on.
    @inline(__always)
    package func index(of text: UnsafeRawBufferPointer, startingWith first: Int) -> Int? {
        guard isPlain else { return nil }
        return spellings.withUnsafeBytes { spellings in
            var index = first
            for _ in names.indices {
                if index >= names.count { index = 0 }
                // Without the quotation marks and the colon.
                let (start, end) = (bounds[index] + 1, bounds[index + 1] - 2)
                if end - start == text.count, JSONScan.matches(text, in: spellings, at: start) {
                    return index
                }
                index += 1
            }
            return nil
        }
    }

    /// The key that stands, spelled plainly and with its colon, at `offset`, and the length of that.
    ///
    /// A spelling ends with an unescaped quotation mark, so none is the beginning of another key.
    @inline(__always)
    package func spelling(
        at offset: Int, in bytes: UnsafeRawBufferPointer, startingWith first: Int
    ) -> (index: Int, length: Int)? {
        spellings.withUnsafeBytes { spellings in
            var index = first
            for _ in names.indices {
                if index >= names.count { index = 0 }
                let spelling = UnsafeRawBufferPointer(
                    rebasing: spellings[bounds[index]..<bounds[index + 1]])
                if JSONScan.matches(spelling, in: bytes, at: offset) {
                    return (index, spelling.count)
                }
                index += 1
            }
            return nil
        }
    }

    /// Hands the spelling of a key to `body`.
    @inline(__always)
    package func withSpelling(of index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        spellings.withUnsafeBytes { spellings in
            body(UnsafeRawBufferPointer(rebasing: spellings[bounds[index]..<bounds[index + 1]]))
        }
    }
}
