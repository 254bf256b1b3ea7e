/// The words that cameras write into every file, in fields where a person would describe the photo.
enum CameraWords {
    private static let makers: Set<Substring> = [
        "acer", "agfa", "agfaphoto", "apple", "benq", "canon", "casio", "concord", "dji", "epson",
        "fuji", "fujifilm", "ge", "gopro", "hasselblad", "hp", "huawei", "jenoptik", "jvc", "kodak",
        "konica", "kyocera", "leica", "lg", "lumix", "medion", "minolta", "motorola", "nikon",
        "nokia", "olympus", "panasonic", "pentax", "polaroid", "praktica", "ricoh", "rollei",
        "samsung", "sanyo", "sigma", "sony", "toshiba", "traveler", "vivitar", "yashica",
    ]
    /// Words that no person would use as a title.
    private static let technical: Set<Substring> = ["dcim", "dsc", "exif", "jpeg"]
    /// Words that say nothing, but might be a person's title if they stand alone.
    private static let common: Set<Substring> = [
        "camera", "digital", "picture", "pictures", "still",
    ]

    /// Whether a text is made of cameras' words only, as "OLYMPUS DIGITAL CAMERA" is.
    ///
    /// A person may call a photo "Canon" or "Picture". So the text must also have a technical word,
    /// or a maker's name and the word "camera".
    static func makeUp(_ text: String) -> Bool {
        // Most texts come from people, and are longer than any of these.
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
