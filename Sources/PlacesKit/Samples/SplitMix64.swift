/// The generator of Steele, Lea and Flood, which is small and fast.
///
/// The same seed gives the same numbers on every machine and in every run, unlike `Hasher` and
/// `SystemRandomNumberGenerator`.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Creates a generator for one item among many, independent of those of its neighbours.
    package init(seed: UInt64, item: Int) {
        var mixer = SplitMix64(seed: seed)
        let mixed = mixer.next()
        self.init(seed: mixed ^ (UInt64(truncatingIfNeeded: item) &* 0xD1B5_4A32_D192_ED03))
        state = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to but not including the bound, which is at least 1.
    ///
    /// The standard library may change how it does this, but a sample world must stay the same.
    package mutating func below(_ bound: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high)
    }

    /// A number from 0 up to but not including 1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// One of the elements of an array that is not empty.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}
