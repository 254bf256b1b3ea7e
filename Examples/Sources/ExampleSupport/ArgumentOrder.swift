import ArgumentParser
import Foundation

/// Brings what a person wrote into the order that the parser takes: the command, its arguments, its options.
struct ArgumentOrder {
    /// What is needed of the parser's own account of a command.
    private struct Outline: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String

                var text: String { (kind == "long" ? "--" : "-") + name }
            }

            var kind: String
            var names: [Name]?
        }

        var commandName: String
        var aliases: [String]?
        var subcommands: [Outline]?
        var arguments: [Argument]?
    }

    private struct Account: Decodable { var command: Outline }

    private let program: String
    private var commands: [String] = []
    private var flags: Set<String> = ["--version"]
    private var valueOptions: Set<String> = []

    init(of program: (some ParsableCommand).Type) throws {
        let account = Data(program._dumpHelp().utf8)
        let outline = try JSONDecoder().decode(Account.self, from: account).command
        self.program = outline.commandName
        for command in outline.subcommands ?? [] {
            commands.append(command.commandName)
            commands += command.aliases ?? []
        }
        for argument in ([outline] + (outline.subcommands ?? [])).flatMap({ $0.arguments ?? [] }) {
            let names = (argument.names ?? []).map(\.text)
            if argument.kind == "option" {
                valueOptions.formUnion(names)
            } else {
                flags.formUnion(names)
            }
        }
    }

    /// The arguments in order; as they are where the parser has something to say about them.
    ///
    /// - Throws: What the user should read of a command that there is not.
    func arranged(_ arguments: [String]) throws -> [String] {
        guard arguments.first != "help" else {
            try check(arguments.dropFirst().first)
            return arguments
        }
        var (words, options): ([String], [String]) = ([], [])
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument != "--" else {
                rest = [argument] + rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-", !argument.isNegative else {
                words.append(argument)
                continue
            }
            let name = String(argument.prefix { $0 != "=" })
            guard flags.contains(name) || valueOptions.contains(name) else { return arguments }
            options.append(argument)
            guard name == argument, valueOptions.contains(name), let value = rest.popFirst()
            else { continue }
            // The parser takes what begins with a minus for another option, unless it stands in the same argument.
            if value.isNegative {
                options[options.count - 1] += "=" + value
                continue
            }
            options.append(value)
            // The one option that takes a second value.
            if name == "--source", value == "folder", rest.first?.hasPrefix("-") == false,
                let path = rest.popFirst()
            {
                options.append(path)
            }
        }
        try check(words.first)
        guard words.contains(where: \.isNegative) else { return words + options + rest }
        return [words[0]] + options + ["--"] + words[1...] + rest.dropFirst()
    }

    private func check(_ command: String?) throws {
        guard let command, !commands.contains(command), !command.hasPrefix("-") else { return }
        throw ValidationError(
            "There is no command “\(command)”.\(command.suggestion(among: commands + ["help"])) "
                + "See \(program) --help.")
    }
}

extension String {
    /// Whether the text is a number below zero, or begins with one, as “-33.9, 151.2”; no option does.
    fileprivate var isNegative: Bool {
        hasPrefix("-") && dropFirst().first.map { $0.isASCII && $0.isNumber } == true
    }
}
