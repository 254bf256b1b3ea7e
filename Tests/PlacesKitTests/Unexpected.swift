/// What a test found instead of what it could go on with.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ found: Any?) { description = found.map { "\($0)" } ?? "nothing" }
}

extension Error {
    /// What `body` throws.
    static func thrown(by body: () throws(Self) -> Void) -> Self? {
        do throws(Self) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
