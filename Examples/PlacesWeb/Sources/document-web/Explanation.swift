import PlacesKit

/// How a query finds its records, as a page shows it.
struct Explanation: Encodable {
    struct Step: Encodable {
        var depth: Int
        var text: String
        var rows: Int?
        var expected: Int?
        var microseconds: Double?
        var note: String?
    }

    var query: String
    var rows: Int
    /// How long it was prepared, and ran.
    var preparation: Double
    var duration: Double
    var steps: [Step]
    /// The same as text, to be copied.
    var text: String

    init(_ query: TableQuery, _ explanation: QueryExplanation) {
        self.query = query.text
        rows = explanation.rows
        preparation = explanation.preparation / .microseconds(1)
        duration = explanation.duration / .microseconds(1)
        steps = explanation.steps.map { step in
            Step(
                depth: step.depth, text: step.text, rows: step.rows, expected: step.estimatedRows,
                microseconds: step.duration.map { $0 / .microseconds(1) }, note: step.note)
        }
        text = explanation.description
    }
}
