extension String {
    /// The same few characters for a text in each run (FNV-1a).
    public var digest: String {
        let hash = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 36)
    }
}
