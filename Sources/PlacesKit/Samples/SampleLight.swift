/// The light of a sample photo: the time of day, and its effect on colours.
enum SampleLight: CaseIterable, Sendable {
    case dawn
    case day
    case overcast
    case dusk
    case night

    /// The light at an hour from 0 to 24; `isGrey` makes a full day overcast.
    init(hour: Double, isGrey: Bool) {
        switch hour {
        case 5..<7.5: self = .dawn
        case 7.5..<18: self = isGrey ? .overcast : .day
        case 18..<20.5: self = .dusk
        default: self = .night
        }
    }

    /// The colours of the sky straight above, half way down, and at the horizon.
    var sky: (zenith: PNGEncoder.Color, middle: PNGEncoder.Color, haze: PNGEncoder.Color) {
        switch self {
        case .dawn: (color(0x5B7FB4), color(0xE3B7B0), color(0xFBE3B6))
        case .day: (color(0x3A7BC8), color(0x7FB3E6), color(0xDCEDF8))
        case .overcast: (color(0x8B98A6), color(0xAAB4BE), color(0xCED4D8))
        case .dusk: (color(0x2D2A5A), color(0xB0527A), color(0xF6A55A))
        case .night: (color(0x070B1E), color(0x101A3A), color(0x26355F))
        }
    }

    /// The sun, or the moon.
    var disc: PNGEncoder.Color {
        switch self {
        case .dawn: color(0xFFF1C9)
        case .day: color(0xFFF8DC)
        case .overcast: color(0xE4E6E4)
        case .dusk: color(0xFFD27A)
        case .night: color(0xF1EFDF)
        }
    }

    /// The colour of a thing in this light.
    func falling(on color: PNGEncoder.Color) -> PNGEncoder.Color {
        switch self {
        case .dawn: color.mixed(with: self.color(0xF0B59A), 0.22)
        case .day: color
        case .overcast: color.mixed(with: self.color(0x8B98A6), 0.35)
        case .dusk: color.mixed(with: self.color(0x4A2350), 0.45)
        case .night: color.mixed(with: self.color(0x060A1A), 0.72)
        }
    }

    var isDark: Bool { self == .dusk || self == .night }

    private func color(_ number: Int) -> PNGEncoder.Color { PNGEncoder.Color(number) }
}

extension PNGEncoder.Color {
    /// The colour with a web notation: red, green and blue, two hexadecimal digits each.
    init(_ number: Int) {
        self.init(red: number >> 16 & 255, green: number >> 8 & 255, blue: number & 255)
    }
}
