import PlacesBase

/// Where a point of the Earth lies in a grid of 2³² rows and columns, as one number.
///
/// The bits of row and column alternate (Morton's order), so the codes with the same first bits are those of a cell: of a
/// half, a quarter and so on of the map. Points that are near each other mostly have near codes.
struct SpatialCode: Equatable {
    let bits: UInt64

    /// The code of a cell's first point.
    init(bits: UInt64) { self.bits = bits }

    /// The code of a point; `nil` for what is no point of the Earth.
    init?(_ point: Coordinate) {
        guard point.isValid else { return nil }
        self.init(
            x: Self.step(point.longitude, from: -180, over: 360),
            y: Self.step(point.latitude, from: -90, over: 180))
    }

    init(x: UInt32, y: UInt32) { bits = Self.spread(x) | Self.spread(y) << 1 }

    /// The column, which counts from the west.
    var x: UInt32 { Self.gather(bits) }
    /// The row, which counts from the south.
    var y: UInt32 { Self.gather(bits >> 1) }

    /// The middle of the points that have the code.
    var middle: Coordinate {
        Coordinate(
            latitude: (Double(y) + 0.5) * 0x1p-32 * 180 - 90,
            longitude: (Double(x) + 0.5) * 0x1p-32 * 360 - 180)
    }

    /// In which of 2³² steps degrees lie: never in a later one than what is greater.
    static func step(_ degrees: Double, from start: Double, over extent: Double) -> UInt32 {
        let step = (degrees - start) / extent * 0x1p32
        return step >= 0xffff_ffff ? .max : step <= 0 ? 0 : UInt32(step)
    }

    /// Puts a zero before each bit.
    private static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_ffff_0000_ffff
        bits = (bits | bits << 8) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits << 4) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// Takes every second bit.
    private static func gather(_ value: UInt64) -> UInt32 {
        var bits = value & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }
}
