import Foundation
import PlacesKit
import Testing

/// Conformances reach programs that are linked from a static archive.
@Suite struct LinkedConformanceTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    // The linker takes an object file of an archive where something in it is named. A cast names the
    // protocol, and whoever has a value names its type; nobody names a conformance.
    @Test func `every conformance lies beside its protocol or its type`() throws {
        var strays: [String] = []
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
        where path.hasSuffix(".swift") {
            let file = try String(
                contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            let declared = Set(
                file.matches(of: /\b(?:class|struct|enum|protocol|actor) +(\w+)/).map(\.1))
            let extensions = /^ *(?:\w+ )*extension ([\w.]+)(?:<[^{]*?>)? *: *([^{]*?)\{/
            for match in file.matches(of: extensions.anchorsMatchLineEndings()) {
                let type = match.1.split(separator: ".").last ?? match.1
                for name in match.2.split(separator: /\swhere\s/)[0].split(separator: ",") {
                    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
                    // A marker, which is nowhere at run time.
                    if name.hasSuffix("Sendable") { continue }
                    count += 1
                    if !declared.contains(type), !declared.contains(where: { $0 == name }) {
                        strays.append("\(path): \(match.1) is \(name)")
                    }
                }
            }
        }
        #expect(strays == [])
        #expect(count > 100)
    }

    @Test func `every known expression is compiled and evaluated with care`() throws {
        let file = try String(
            contentsOf: Self.sources.appending(
                path: "PlacesKit/Graph/Query/Predicates/PredicateExpressions+Conformances.swift"),
            encoding: .utf8)
        let known = file.matches(of: /extension PredicateExpressions\.(\w+): (\w+)/)
        #expect(known.count > 30)
        // What has no parts needs no care.
        let careless = known.filter { $0.2 != "KnownExpression" }
        #expect(Set(careless.map(\.1)) == ["Variable", "Value", "NilLiteral"])
        #expect(careless.allSatisfy { $0.2 == "LoweredExpression" })
    }
}
