import Foundation

// The members are named as the reply names them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A list of photos with the members that a photo record is made of.
struct FlickrReply: Decodable {
    let photos: List

    struct List: Decodable {
        let page: Int
        let pages: Int
        let perpage: Int
        let photo: [Photo]
    }

    struct Text: Decodable {
        let _content: String
    }

    struct Photo: Decodable {
        let id: String
        let owner: String
        let secret: String
        let server: String
        let title: String
        let description: Text
        let license: String
        let dateupload: String
        let datetaken: String
        let datetakengranularity: String
        let datetakenunknown: String
        let ownername: String
        let pathalias: String?
        let latitude: String
        let longitude: String
        let accuracy: String
        let woeid: String
        let tags: String
        let url_sq: URL
        let width_sq: Int
        let height_sq: Int
        let url_t: URL
        let width_t: Int
        let height_t: Int
        let url_q: URL
        let width_q: Int
        let height_q: Int
        let url_s: URL
        let width_s: Int
        let height_s: Int
        let url_n: URL
        let width_n: Int
        let height_n: Int
        let url_m: URL
        let width_m: Int
        let height_m: Int
        let url_z: URL
        let width_z: Int
        let height_z: Int
        let url_c: URL
        let width_c: Int
        let height_c: Int
        let url_l: URL
        let width_l: Int
        let height_l: Int
    }
}
