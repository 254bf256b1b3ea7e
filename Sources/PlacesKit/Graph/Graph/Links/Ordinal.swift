/// The number of something among others of its sort, which is taken for that of no other sort.
@usableFromInline
protocol Ordinal: RawRepresentable, Hashable, Strideable, CustomStringConvertible, BitwiseCopyable,
    Sendable
where RawValue == Int32, Stride == Int {
    init(rawValue: Int32)
}

extension Ordinal {
    @inlinable @inline(__always)
    init(_ index: Int) { self.init(rawValue: Int32(truncatingIfNeeded: index)) }

    @inlinable @inline(__always)
    var index: Int { Int(rawValue) }

    @inlinable @inline(__always)
    static func == (first: Self, second: Self) -> Bool { first.rawValue == second.rawValue }

    @inlinable @inline(__always)
    static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }

    @inlinable
    func distance(to other: Self) -> Int { other.index &- index }

    @inlinable
    func advanced(by distance: Int) -> Self { Self(index &+ distance) }

    @usableFromInline var description: String { rawValue.description }
}

extension Array {
    /// What is kept for something, where something is for each of its sort.
    subscript(ordinal: some Ordinal) -> Element {
        @inline(__always) get { self[ordinal.index] }
        @inline(__always) _modify { yield &self[ordinal.index] }
    }
}

extension UnsafeMutablePointer {
    /// What is kept for something, where something is for each of its sort.
    subscript(ordinal: some Ordinal) -> Pointee {
        @inline(__always) _read { yield self[ordinal.index] }
        @inline(__always) nonmutating _modify { yield &self[ordinal.index] }
    }
}
