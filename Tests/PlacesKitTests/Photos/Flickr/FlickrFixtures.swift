/// Replies in the shapes Flickr has really sent, with invented content.
enum FlickrFixtures {
    /// Of the four elements the second has no id and the third is no object; the fourth has nothing but an id.
    static let search = """
        {"photos":{"page":2,"pages":"287542","perpage":20,"total":"5750834","photo":[
        {"id":"101","owner":"7@N00","secret":"abc","server":"65535","farm":66,"title":"Dusk",
         "ispublic":1,"description":{"_content":"By the <b>river</b> &amp; sea"},"license":"4",
         "dateupload":"1543987394","datetaken":"2018-08-25 16:34:33","datetakengranularity":0,
         "datetakenunknown":"0","ownername":"Ada","originalsecret":"def","originalformat":"png",
         "latitude":"48.85","longitude":2.35,"accuracy":"16","place_id":"","woeid":"615702",
         "tags":"paris river  dusk","pathalias":null,
         "url_sq":"http:\\/\\/farm8.staticflickr.com\\/7458\\/101_abc_s.jpg","height_sq":75,"width_sq":"75",
         "url_m":"https://live.staticflickr.com/65535/101_abc.jpg","height_m":"333","width_m":500,
         "url_h":"https://live.staticflickr.com/65535/101_xyz_h.jpg","height_h":1067,"width_h":1600},
        {"owner":"8@N00","title":"no id"},
        null,
        {"id":104,"owner":"8@N00","latitude":0,"longitude":0,"accuracy":0,"title":null}
        ]},"stat":"ok"}
        """

    static let info = """
        {"photo":{"id":"201","secret":"s","server":"1","license":"0",
        "owner":{"nsid":"9@N00","username":"","realname":"Grace H"},
        "title":{"_content":""},"description":{"_content":"A note"},
        "dates":{"posted":"1303057683","taken":"2011-04-02 18:55:46","takengranularity":"6","takenunknown":"0"},
        "tags":{"tag":[{"_content":"green","machine_tag":false},{"_content":"robot","machine_tag":0}]},
        "location":{"latitude":"23.34","longitude":"46.99","accuracy":"13","woeid":"1939730",
          "neighbourhood":{"_content":""},"county":{"_content":"Hota"},"region":{"_content":"Riyadh"},
          "country":{"_content":"Saudi Arabia"}},
        "urls":{"url":[{"type":"photopage","_content":"http://www.flickr.com/photos/grace/201/"}]}},
        "stat":"ok"}
        """

    static let topPlaces = """
        {"places":{"total":2,"place":[
        {"place_id":"hP_s5s9VVr5Qcg","woeid":"44418","latitude":51.506,"longitude":"-0.127",
         "place_type_id":7,"_content":"London, England, United Kingdom","photo_count":"1734"},
        {"_content":"Nowhere"}]}}
        """

    static let noTopPlaces =
        #"{"places":{"total":0,"date_start":1,"date_stop":2,"place":[]},"stat":"ok"}"#
    static let noPhotos =
        #"{"photos":{"page":1,"pages":0,"perpage":50,"total":"0","photo":[]},"stat":"ok"}"#
    static let noPhotoKey =
        #"{"photos":{"page":1,"pages":1,"perpage":500,"total":"30"},"stat":"ok"}"#

    static func fail(_ code: Int, _ message: String) -> String {
        #"{"stat":"fail","code":\#(code),"message":"\#(message)"}"#
    }

    static func location(_ locality: String, country: String = "France") -> String {
        """
        {"photo":{"id":"1","location":{"locality":{"_content":"\(locality)"},
        "country":{"_content":"\(country)"}}},"stat":"ok"}
        """
    }

    /// A search of photos with these ids and places.
    static func search(_ photos: [(id: Int, location: String)]) -> String {
        let elements = photos.map { #"{"id":"\#($0.id)","accuracy":"16",\#($0.location)}"# }
        return """
            {"photos":{"page":1,"pages":1,"perpage":250,"photo":[\(elements.joined(separator: ","))]},
            "stat":"ok"}
            """
    }
}
