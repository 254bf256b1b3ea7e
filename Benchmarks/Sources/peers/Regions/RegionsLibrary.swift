import Foundation
import PlacesKit
import Synchronization

/// Top Regions as the library does it: photos are added in the background, a live list shows them, and they
/// are saved to disk.
final class RegionsLibrary {
    private let source = ListedPhotos()
    private let url: URL
    private var library: PlacesLibrary
    private var list: ListController<Region>

    init(at url: URL) async throws {
        self.url = url
        library = try await PlacesLibrary.open(at: url, source: source)
        list = try library.topRegions()
    }

    /// Begins anew with what is on disk, so that nothing of the loading goes on.
    func reopen() async throws {
        try await library.close()
        library = try await PlacesLibrary.open(at: url, source: source)
        list = try library.topRegions()
    }

    /// Adds photos, and returns the list with the times until it told of them and until all is on disk.
    func add(
        _ photos: [RecentPhoto]
    ) async throws -> (list: [RankedRegion], shown: Duration, saved: Duration) {
        source.photos.withLock { $0 = photos }
        let clock = ContinuousClock()
        let start = clock.now
        var shown = start
        list.onChange = { _ in shown = clock.now }
        try await library.fetchRecentPhotos(limit: photos.count)
        let saved = clock.now
        let regions = list.objects.map {
            RankedRegion(name: $0.name, photographers: $0.photographerCount)
        }
        return (regions, shown - start, saved - start)
    }

    func close() async throws { try await library.close() }
}

/// A source that answers with the photos that it was given.
private final class ListedPhotos: PhotoSource {
    let name = "Benchmark"
    let capabilities: Set<PhotoSourceCapability> = [.recentPhotos]
    let photos = Mutex<[RecentPhoto]>([])

    func recentPhotos(limit: Int) async throws -> [RecentPhoto] {
        Array(photos.withLock { $0 }.prefix(limit))
    }

    func placeNames(of photo: RecentPhoto) async throws -> PlaceNames? { photo.placeNames }

    func data(for variant: PhotoVariant) async throws -> Data {
        throw PhotoSourceError.gone(what: variant.name)
    }
}
