public import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// How a library works.
    public struct Options: Sendable {
        /// Tells the time.
        public var now: @Sendable () -> Date = { Date() }
        /// What it sleeps on: between two fetches, and until something expires.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// What says on which day something was.
        public var calendar = Calendar.current
        /// What chooses the page of a new collection.
        public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        /// How pictures are fetched.
        public var images = ImageLoader.Options()
        /// How many bytes the pictures of favorites may take.
        public var favoritesByteLimit = 1 << 30
        /// How the document is opened; the time and the clock are those of the library.
        public var document = ManagedDocument.Options()

        /// The usual options.
        public init() {}
    }
}
