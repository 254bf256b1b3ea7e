import Foundation

extension HTTPResponse {
    /// Whether it is worth while to read the body for what is wrong with it, before that is done for what it says.
    ///
    /// That is so if it is short, if it does not begin and end as an object of JSON does (it is a web
    /// page, or was cut off), or if a string at its beginning starts with a service's word for errors.
    func mayBeFailure(upTo length: Int, saying word: StaticString) -> Bool {
        guard body.count >= length, body.first(where: Self.isVisible) == UInt8(ascii: "{"),
            body.last(where: Self.isVisible) == UInt8(ascii: "}")
        else { return true }
        let word = Data("\"\(word)".utf8)
        return body.prefix(256).range(of: word) != nil
    }

    private static func isVisible(_ byte: UInt8) -> Bool { byte > UInt8(ascii: " ") }
}
