/// The look of a place in all its photos: its land, its houses and its trees.
struct SampleLand: Sendable {
    /// The ground before the houses.
    enum Ground: CaseIterable, Sendable {
        case sea
        case river
        case meadow
        case square
        case sand
    }

    /// The shape of the roofs.
    enum Roof: CaseIterable, Sendable {
        case flat
        case gable
        case dome
    }

    /// The kind of trees.
    enum Tree: CaseIterable, Sendable {
        case broadleaf
        case conifer
        case palm
    }

    let ground: Ground
    let roof: Roof
    let tree: Tree
    /// The height of the houses, from those of a village to those of a city of towers.
    let houseHeight: Double
    /// The height of the hills behind the houses.
    let hillHeight: Double
    let walls: [PNGEncoder.Color]
    let roofs: PNGEncoder.Color

    /// Creates the look of a place at a latitude in degrees.
    init(at latitude: Double, from generator: SplitMix64) {
        var generator = generator
        let distance = abs(latitude)
        let grounds: [Ground] =
            distance < 35
            ? [.sea, .sand, .square, .river] : [.sea, .river, .river, .meadow, .square]
        ground = generator.pick(grounds)
        roof = generator.pick(distance > 42 ? [.gable, .gable, .flat] : Roof.allCases)
        tree =
            distance < 30
            ? .palm : generator.pick(distance > 48 ? [.conifer, .broadleaf] : [.broadleaf])
        houseHeight = 0.1 + 0.28 * generator.unit() * generator.unit()
        hillHeight = ground == .sea && generator.below(2) == 0 ? 0 : 0.04 + 0.22 * generator.unit()
        walls = generator.pick(Self.walls).map { PNGEncoder.Color($0) }
        roofs = PNGEncoder.Color(
            generator.pick([0x9C4A32, 0x7B3B2C, 0x4E5661, 0x5E6B5A, 0xB0653A]))
    }

    private static let walls: [[Int]] = [
        [0xE8D9BC, 0xD9C09A, 0xCFA97C, 0xF0E6D2],  // Limestone.
        [0xB5533C, 0xA0452F, 0xC9795E, 0x8C3A2A],  // Brick.
        [0xE2A08C, 0xF0CF8A, 0x9DB8C9, 0xD7E0C4],  // Plaster in many colours.
        [0xF4F2EC, 0xE4E7E8, 0xD5DADD, 0xFAF8F2],  // Whitewash.
        [0x8C99A8, 0x6E7D8F, 0xA9B4BF, 0x56677A],  // Glass and steel.
    ]
}

/// The seasons as photos show them.
enum SampleSeason: Sendable {
    case spring
    case summer
    case autumn
    case winter
    /// Between the tropics, leaves are green all year.
    case evergreen

    /// The season of a month, from 1 to 12, at a latitude in degrees.
    init(month: Int, latitude: Double) {
        guard abs(latitude) > 23.5 else {
            self = .evergreen
            return
        }
        let northern = latitude > 0 ? month : (month + 5) % 12 + 1
        self =
            switch northern {
            case 3...5: .spring
            case 6...8: .summer
            case 9...11: .autumn
            default: .winter
            }
    }

    /// The colours of the leaves.
    var leaves: [PNGEncoder.Color] {
        let numbers =
            switch self {
            case .spring: [0x8DB255, 0xA7C46B, 0xE7B7C8]
            case .summer: [0x4F7F3A, 0x3F6E33, 0x5E8C45]
            case .autumn: [0xC7772A, 0xA9532A, 0xD9A441]
            case .winter: [0x6B5A4A, 0x5C4E42, 0x776757]
            case .evergreen: [0x3C7A3F, 0x2F6B3A, 0x548F4B]
            }
        return numbers.map { PNGEncoder.Color($0) }
    }
}
