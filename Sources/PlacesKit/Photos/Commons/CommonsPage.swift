import Foundation

/// A page of Commons as the parts of one or several replies tell of it.
struct CommonsPage {
    var parts: [LenientJSON] = []

    /// The value of the first part that has one.
    subscript(name: StaticString) -> LenientJSON? {
        parts.lazy.map { $0[name] }.first { $0.exists }
    }

    /// What the page says about its file.
    var info: LenientJSON? { self["imageinfo"].map { $0.elements.first ?? $0 } }

    /// Whether the replies say that there is no such page.
    var isMissing: Bool { self["missing"].map { $0.bool != false } ?? false }

    /// Whether the replies tell enough that a file that is no photo by them stays none.
    var isTold: Bool {
        guard !isMissing else { return true }
        return info.map { $0["mime"].nonEmptyText != nil && $0["extmetadata"].exists } ?? false
    }

    /// When the file was uploaded, if the page says so.
    var uploaded: Date? { info?["timestamp"].nonEmptyText.flatMap(CommonsDate.instant) }
}
