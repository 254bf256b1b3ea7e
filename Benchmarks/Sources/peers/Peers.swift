import ArgumentParser

/// Measures PlacesKit, beside its peers where it has any.
@main
struct Peers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Measures PlacesKit beside GRDB, SQLite's C API and plain classes.",
        subcommands: [
            CompareCommand.self, OO7Command.self, ReachCommand.self, RegionsCommand.self,
            SaveCommand.self, FollowCommand.self, FollowedWriterCommand.self, ShareCommand.self,
            FilesCommand.self,
            PeakCommand.self, GrowthCommand.self, CostsCommand.self,
            CompileCommand.self, MemoryCommand.self, UndoMemoryCommand.self,
            QueueMemoryCommand.self, ExplainCommand.self,
        ],
        defaultSubcommand: CompareCommand.self)
}
