import Foundation

/// What this process takes of the machine; told on Linux only.
enum Usage {
    /// The memory that is held now, in bytes.
    static var memory: Int { status("VmRSS:") }
    /// The most that was ever held, in bytes.
    static var peakMemory: Int { status("VmHWM:") }

    private static func status(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return 1_024 * (Int(line.filter(\.isNumber)) ?? 0)
    }

    /// The time that the processors worked for this process, in seconds.
    static var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
