public import ArgumentParser
import Foundation

/// The option that says how a terminal shows pictures.
public struct PictureOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How a terminal shows pictures: auto, kitty, iterm, sixel, blocks or none.",
            discussion: """
                auto looks at the environment; blocks are coloured characters, which show PNG only, as \
                kitty and sixel do. There are no pictures in less than \(PictureChoice.leastColumns) \
                columns, none where output is no terminal, and none if NO_COLOR is set.
                """,
            valueName: "protocol"))
    var pictures = PictureChoice.auto

    /// Made by the argument parser.
    public init() {}
}

/// Which pictures a person wants to see.
enum PictureChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto
    case kitty
    case iterm
    case sixel
    case blocks
    case none

    /// In fewer columns texts need the room.
    static let leastColumns = 50

    /// How pictures are shown by a terminal that an environment tells of; `nil` for not at all.
    func drawing(in environment: [String: String]) -> PictureDrawing? {
        let colors: TerminalColors =
            ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") ? .all : .palette
        switch self {
        case .none: return nil
        case .kitty: return .kitty
        case .iterm: return .iterm
        case .sixel: return .sixel
        case .blocks: return .blocks(colors)
        case .auto: break
        }
        let term = environment["TERM"] ?? ""
        let program = environment["TERM_PROGRAM"] ?? ""
        // A multiplexer inherits the variables of the terminal around it, and passes no pictures on.
        if environment["TMUX"] == nil, !term.hasPrefix("screen"), !term.hasPrefix("tmux") {
            if environment["KITTY_WINDOW_ID"] != nil || program == "ghostty"
                || ["xterm-kitty", "xterm-ghostty"].contains(term)
            {
                return .kitty
            }
            if ["iTerm.app", "WezTerm", "mintty"].contains(program)
                || environment["LC_TERMINAL"] == "iTerm2"
            {
                return .iterm
            }
            if term.contains("sixel") || ["foot", "mlterm", "yaft"].contains(where: term.hasPrefix)
            {
                return .sixel
            }
        }
        let hasColors = colors == .all || term.contains("256color") || term.hasSuffix("-direct")
        return hasColors ? .blocks(colors) : nil
    }
}

extension Terminal {
    /// Which pictures the person wants, in what a command does.
    @TaskLocal static var pictureChoice = PictureChoice.none

    /// How pictures are shown now; `nil` for not at all.
    static var drawing: PictureDrawing? {
        guard isStyled, columns ?? 0 >= PictureChoice.leastColumns else { return nil }
        return pictureChoice.drawing(in: ProcessInfo.processInfo.environment)
    }

    /// Whether there is room for a map, which needs no colours.
    static var showsMaps: Bool {
        moves(STDOUT_FILENO) && columns ?? 0 >= PictureChoice.leastColumns
            && pictureChoice != .none
    }
}
