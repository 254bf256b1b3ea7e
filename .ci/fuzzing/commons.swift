import Foundation

/// Reads bytes as a reply of Wikimedia Commons, in all the ways in which one is read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let body = Data(bytes: start, count: count)
    guard let reply = try? CommonsReply(HTTPResponse(body: body)) else { return 0 }
    _ = (CommonsHits(reply).identifiers, reply.continuation)
    for page in reply.pages {
        guard let photo = PhotoRecord(commons: page, language: "en") else { continue }
        precondition(!photo.identifier.isEmpty && !photo.variants.isEmpty)
        precondition(photo.coordinate?.isValid ?? true)
        precondition(photo.variants.allSatisfy { $0.url.scheme == "https" })
        _ = (photo.displayTitle, photo.displaySubtitle, photo.taken?.description)
    }
    return 0
}
