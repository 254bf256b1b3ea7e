import Foundation
import NIOCore

/// The names by which browsers come to a server beyond this machine.
enum HostNames {
    private static let everywhere: Set<String> = ["0.0.0.0", "::"]

    /// All names that stand in a `Host`; those of the whole machine for a server that listens at all addresses.
    static func all(for host: String) -> Set<String> {
        guard everywhere.contains(host) else { return [bracketed(host)] }
        return Set(addresses().map(bracketed) + [ProcessInfo.processInfo.hostName, "localhost"])
    }

    /// The name that is printed: one that leads here from another machine, if there is one.
    static func shown(for host: String) -> String {
        guard everywhere.contains(host) else { return bracketed(host) }
        let own = addresses().first { !$0.hasPrefix("127.") && !$0.contains(":") }
        return own ?? "127.0.0.1"
    }

    private static func addresses() -> [String] {
        // Where they cannot be told, the machine's name is left.
        ((try? System.enumerateDevices()) ?? []).compactMap { $0.address?.ipAddress }
    }

    /// An address as it stands in addresses of pages: one of version 6 in brackets, without its zone.
    private static func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host.prefix { $0 != "%" })]" : host
    }
}
