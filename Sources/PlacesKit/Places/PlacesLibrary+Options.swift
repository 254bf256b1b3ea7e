public import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// How a library works.
    public struct Options: Sendable {
        /// Returns the current time.
        public var now: @Sendable () -> Date = { Date() }
        /// The clock on which the library sleeps: between two fetches, and until something expires.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The calendar that tells the day of a date.
        public var calendar = Calendar.current
        /// The generator that chooses the page of a new collection.
        public var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        /// The tags that no photo gets, in whatever case; photos still show and find them as text.
        public var ignoredTags: Set<String> = []
        /// How pictures are fetched.
        public var images = ImageLoader.Options()
        /// How many bytes the pictures of favorites may take.
        public var favoritesByteLimit = 1 << 30
        /// How the document is opened; it takes the time and the clock from the library.
        public var document = ManagedDocument.Options()

        /// The usual options.
        public init() {}
    }
}
