import ArgumentParser

/// The option that writes what was measured to a file.
struct JSONOutput: ParsableArguments {
    @Option(help: "A file to write the medians to, as JSON.")
    var json: String?

    /// Writes measurements, if that was asked for.
    func write(_ measurements: [Measurement]) throws {
        if let json { try measurements.write(to: json) }
    }
}
