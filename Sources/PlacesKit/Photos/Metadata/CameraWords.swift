/// The words that cameras write in every file, where a person would describe the photo.
enum CameraWords {
    private static let makers: Set<Substring> = [
        "acer", "agfa", "agfaphoto", "apple", "benq", "canon", "casio", "concord", "dji", "epson",
        "fuji", "fujifilm", "ge", "gopro", "hasselblad", "hp", "huawei", "jenoptik", "jvc", "kodak",
        "konica", "kyocera", "leica", "lg", "lumix", "medion", "minolta", "motorola", "nikon",
        "nokia", "olympus", "panasonic", "pentax", "polaroid", "praktica", "ricoh", "rollei",
        "samsung", "sanyo", "sigma", "sony", "toshiba", "traveler", "vivitar", "yashica",
    ]
    /// What nobody calls a photo.
    private static let technical: Set<Substring> = ["dcim", "dsc", "exif", "jpeg"]
    /// What says nothing, but might be somebody's title without one of the others.
    private static let common: Set<Substring> = [
        "camera", "digital", "picture", "pictures", "still",
    ]

    /// Whether a text is of a camera's words alone, such as "OLYMPUS DIGITAL CAMERA" or
    /// "Exif_JPEG_PICTURE".
    ///
    /// "Canon" and "Picture" may be what a person calls a photo: it takes a technical word, or a maker's name
    /// and the word "camera".
    static func makeUp(_ text: String) -> Bool {
        // Most texts are none, and longer than any of those.
        guard text.utf8.count <= 64 else { return false }
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        guard
            words.allSatisfy({
                makers.contains($0) || technical.contains($0) || common.contains($0)
            })
        else { return false }
        return words.contains(where: technical.contains)
            || words.contains("camera") && words.contains(where: makers.contains)
    }
}
