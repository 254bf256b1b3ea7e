/// The attributes of one place, before any contestant has stored it.
struct PlaceSample {
    let name: String
    let country: String
}
