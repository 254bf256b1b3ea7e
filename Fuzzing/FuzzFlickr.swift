import Foundation

@testable import PlacesPhotos

/// Reads bytes as a reply of Flickr, in all the ways in which one is read.
func fuzzFlickr(_ bytes: [UInt8]) {
    guard let reply = try? FlickrReply(body: Data(bytes), method: "fuzz") else { return }
    if let page = try? PhotoPage(flickr: reply, askedFor: 1, perPage: 100) {
        precondition(page.usablePages >= 0 && page.droppedCount >= 0)
        for photo in page.photos { check(photo) }
    }
    if let photo = (try? reply.content("photo")).flatMap({ PhotoRecord(flickr: $0) }) {
        check(photo)
    }
    if let sizes = try? reply.content("sizes") {
        _ = FlickrVariants.variants(inSizes: sizes)
    }
    for place in reply.root["places"]["place"].elements {
        guard let place = PlaceRecord(flickr: place) else { continue }
        _ = (place.title, place.subtitle, place.section)
        _ = FlickrPlaceKey(identifier: place.identifier)?.searchParameter
    }
}

private func check(_ photo: PhotoRecord) {
    precondition(!photo.identifier.isEmpty && !photo.displayTitle.isEmpty)
    precondition(photo.coordinate?.isValid ?? true)
    precondition(photo.variants.allSatisfy { $0.url.scheme == "https" })
    _ = (photo.displaySubtitle, photo.variant(atLeast: 500), photo.taken?.description)
}
