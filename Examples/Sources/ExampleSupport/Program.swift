public import ArgumentParser
import Foundation

/// A program of several commands, whose options may stand before, between or behind their arguments.
public protocol Program: AsyncParsableCommand {
    /// What the program is called, and its usual document.
    static var name: String { get }
}

extension Program {
    /// The version that programs tell when they are asked for it.
    public static var version: String { ProgramVersion.current }

    /// Runs the command that the process was told.
    public static func main() async {
        let arguments: [String]
        do {
            arguments = try ArgumentOrder(of: Self.self)
                .arranged(Array(CommandLine.arguments.dropFirst()))
        } catch {
            exit(withError: error)
        }
        await main(arguments)
    }
}

enum ProgramVersion {
    static let current = "1.0"
}
