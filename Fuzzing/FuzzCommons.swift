import Foundation

@testable import PlacesPhotos

/// Reads bytes as a reply of Wikimedia Commons, in all the ways in which one is read.
func fuzzCommons(_ bytes: [UInt8]) {
    guard let reply = try? CommonsReply(HTTPResponse(body: Data(bytes))) else { return }
    _ = (CommonsHits(reply).identifiers, reply.continuation)
    for page in reply.pages {
        guard let photo = PhotoRecord(commons: CommonsPage(parts: [page]), language: "en") else {
            continue
        }
        precondition(!photo.identifier.isEmpty && !photo.variants.isEmpty)
        precondition(photo.coordinate?.isValid ?? true)
        precondition(photo.variants.allSatisfy { $0.url.scheme == "https" })
        _ = (photo.displayTitle, photo.displaySubtitle, photo.taken?.description)
    }
}
