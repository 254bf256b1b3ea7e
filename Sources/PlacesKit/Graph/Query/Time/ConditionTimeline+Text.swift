import Foundation

extension ConditionTimeline {
    /// What moves with the time, and how it is followed, in words.
    func words(in graph: Graph) -> [String] {
        if let problem { return ["asked again at each change, for \(problem)"] }
        var words = motions.map { motion in
            let comparison = motion.comparison
            var name = ""
            for link in comparison.station.chain {
                name += layout.tables[link.table].properties[link.slot].name + "."
            }
            name += layout.tables[comparison.station.table].properties[comparison.slot].name
            let index = graph.orderedIndex(of: comparison.slot, in: comparison.station.table)
            return "\(name) \(comparison.comparison.symbol) now\(Self.text(motion.offset)), "
                + (index == nil ? "followed by an order of its own" : "followed by its index")
        }
        if let horizon {
            words.append("everything asked again at \(horizon.ISO8601Format()), when it turns")
        }
        return words.isEmpty ? ["nothing moves"] : words
    }

    private static func text(_ seconds: Double) -> String {
        guard seconds != 0 else { return "" }
        let magnitude = seconds.magnitude
        let text = Int(exactly: magnitude).map { "\($0)" } ?? "\(magnitude)"
        return " \(seconds < 0 ? "-" : "+") \(text) s"
    }
}
