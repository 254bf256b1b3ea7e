import Foundation

/// A reply of Flickr with invented photos, all members in the order and of the types of recorded ones.
enum FlickrBody {
    private static let sizes = [
        ("sq", "_s", 75), ("t", "_t", 100), ("q", "_q", 150), ("s", "_m", 240), ("n", "_n", 320),
        ("m", "", 500), ("z", "_z", 640), ("c", "_c", 800), ("l", "_b", 1_024),
    ]

    static func make(photos count: Int) -> Data {
        let photos = (0..<count).map(photo).joined(separator: ",")
        return Data(
            """
            {"photos":{"page":1,"pages":12,"perpage":\(count),"total":"5750834","photo":[\(photos)]},\
            "stat":"ok"}
            """.utf8)
    }

    private static func photo(_ number: Int) -> String {
        let urls = sizes.map { extra, suffix, edge in
            """
            "url_\(extra)":"https:\\/\\/live.staticflickr.com\\/65535\\/\(photoID(number))_0f1e2d3c4b\(suffix).jpg",\
            "height_\(extra)":\(edge * 2 / 3),"width_\(extra)":\(edge)
            """
        }
        return """
            {"id":"\(photoID(number))","owner":"\(number % 97)2755911@N03","secret":"0f1e2d3c4b",\
            "server":"65535","farm":66,"title":"Evening light over the river, no. \(number)",\
            "ispublic":1,"isfriend":0,"isfamily":0,"license":"\(number % 9)",\
            "description":{"_content":"Taken from the <b>old bridge</b> &amp; the left bank, with a \
            tripod.\\nSee also <a href=\\"https:\\/\\/example.org\\/\\">the others<\\/a>."},\
            "o_width":"4000","o_height":"2667","dateupload":"\(1_543_987_394 + number * 61)",\
            "lastupdate":"1544000000","datetaken":"2018-08-25 16:34:33","datetakengranularity":"0",\
            "datetakenunknown":"0","ownername":"Photographer \(number % 97)","iconserver":"65535",\
            "iconfarm":66,"views":"\(number * 7)","tags":"paris river dusk seine bridge light",\
            "machine_tags":"","latitude":"48.8\(10 + number % 89)","longitude":"2.3\(10 + number % 89)",\
            "accuracy":"16","context":0,"place_id":"","woeid":"615702","geo_is_family":0,\
            "geo_is_friend":0,"geo_is_contact":0,"geo_is_public":1,"media":"photo",\
            "media_status":"ready",\(urls.joined(separator: ",")),"pathalias":"someone\(number % 97)"}
            """
    }

    private static func photoID(_ number: Int) -> Int { 45_000_000_000 + number * 7_919 }
}
