import PlacesPhotos

/// The words for the names of photographers and the texts of photos.
enum SampleWords {
    static let firstNames = [
        "Ada", "Grace", "Alan", "Katherine", "Edsger", "Barbara", "Donald", "Radia", "Linus",
        "Margaret",
        "José", "Zoë", "Søren", "Łucja", "Yuki", "Mei", "Aisha", "Omar", "Priya", "Kwame", "Ольга",
        "美咲", "지우", "محمد", "Νίκος", "Noor",
    ]

    static let lastNames = [
        "Lovelace", "Hopper", "Turing", "Johnson", "Liskov", "Knuth", "Perlman", "Hamilton",
        "García",
        "Ångström", "Kowalska", "Nakamura", "Chen", "Rahman", "Mensah", "O'Brien", "van Dijk",
        "Müller",
        "Silva", "Иванова", "佐藤", "김", "Παπαδόπουλος", "de la Cruz",
    ]

    static let moods = [
        "Quiet", "Golden", "Rainy", "Early", "Late", "Blue", "Crowded", "Empty", "Windy", "Foggy",
        "Last", "First", "Slow", "Bright",
    ]

    static let subjects = [
        "Morning", "Market", "Bridge", "Harbour", "Skyline", "Square", "Street", "Café", "Garden",
        "Station", "Rooftops", "Night", "Tram", "Stairs", "Window", "River", "Festival",
        "Cathedral",
        "Doorway", "Reflections",
    ]

    static let otherTitles = [
        "IMG_0042", "DSC04707", "Untitled #7", "🌅", "散歩", "Прогулка", "مساء الخير", "¡Olé!",
        "Cafe\u{301} con leche", "50 % off & more", "<3", "…and then it rained",
    ]

    static let captions = [
        "Taken on the way home.",
        "A walk with <b>friends</b> &amp; a borrowed camera.",
        "Waited an hour for this light.\nWorth it.",
        "See the whole set at <a href=\"https://example.org/set\">my page</a>.",
        "f/8, 1/250 s, ISO 200",
        "The “old town”, as they call it.",
        "No filter &lt;3",
    ]

    static let tags = [
        "travel", "street", "architecture", "night", "people", "water", "food", "light", "film",
        "blackandwhite", "autumn", "spring", "tram", "bridge", "museum", "sunset", "旅行", "citytrip",
    ]

    static let licenses = [
        PhotoLicense(identifier: "0", name: "All rights reserved"),
        .creativeCommons("BY", version: "4.0", identifier: "by"),
        .creativeCommons("BY-SA", version: "4.0", identifier: "by-sa"),
        .creativeCommons("BY-NC", version: "4.0", identifier: "by-nc"),
    ]
}
