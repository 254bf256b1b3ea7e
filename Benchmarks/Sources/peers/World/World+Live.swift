extension World {
    /// The positions of the photos that `live-update` changes, one after the other, and the number of
    /// views that each gets in a round.
    func liveUpdates(inRound number: Int) -> [(photo: Int, views: Int)] {
        (0..<20).map { index in
            ((number * 20 + index) * 7_919 % photos.count, (number * 20 + index) * 31_337 % 100_000)
        }
    }
}
