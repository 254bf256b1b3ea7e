import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// The photos of a pin's album, live, newest first.
    ///
    /// A photo appears before its picture does: ``Photo/pictureState`` tells the state of the
    /// download.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, or `ContextError`.
    public func album(of pin: Pin) throws -> ListController<Photo> {
        try check(pin)
        let identifier = pin.objectID
        return try photoList(
            FetchRequest(
                predicate: #Predicate { $0.pins.contains { $0.objectID == identifier } },
                sortBy: Self.newestFirst),
            subtitle: \.pictureSubtitle
        )
        .saying(pin.isDeleted ? "The pin is gone." : pin.subtitle)
        .deleting { try self.remove($0, from: pin) }
    }

    /// Loads what is missing in a pin's album: its photos, unless found before, and pictures.
    ///
    /// If nothing is missing, this asks for nothing. It stores each picture as it arrives, so if it
    /// is interrupted, the next call continues. A photo that its source says it has removed leaves
    /// the album.
    ///
    /// - Throws: `PlacesError.albumIsLoading`, `PlacesError.objectOfAnotherView`, `PhotoSourceError` if the
    ///   search for photos fails, `CancellationError`, `ContextError`, or `DocumentError`.
    public nonisolated(nonsending) func loadAlbum(of pin: Pin) async throws {
        try await loadAlbum(of: pin, anew: false)
    }

    /// Whether a pin's album is being loaded right now.
    public func isLoadingAlbum(of pin: Pin) -> Bool { work.loadingAlbums.contains(pin.objectID) }

    /// Replaces a pin's album by photos of another page, chosen at random among the usable pages.
    ///
    /// If the search for photos fails, the old photos stay until the album is loaded. A first page that is empty although
    /// its source counts more pages, or could not read any of its photos, is such a failure, unless the second page has photos.
    /// Files that the source tells to be no photos are none, and no failure.
    ///
    /// - Throws: What ``loadAlbum(of:)`` throws.
    public nonisolated(nonsending) func newCollection(of pin: Pin) async throws {
        try await loadAlbum(of: pin, anew: true)
    }

    /// Loads what is missing in all albums, as after a launch.
    ///
    /// - Returns: The first failure of each album that could not be loaded.
    /// - Throws: `CancellationError`, `ContextError`, or `DocumentError`.
    @discardableResult
    public nonisolated(nonsending) func resumeAlbums() async throws -> [PhotoSourceError] {
        try beginChange()
        var failures: [PhotoSourceError] = []
        for pin in Array(try pins().objects)
        where !pin.isDeleted && !isLoadingAlbum(of: pin) {
            do {
                try await loadAlbum(of: pin)
            } catch let error as PhotoSourceError {
                failures.append(error)
            }
        }
        return failures
    }

    /// Removes a photo from a pin's album, with its picture.
    ///
    /// If nothing else keeps the photo, this deletes it, and no album or fetch brings it back, as
    /// ``deletedPhotos()`` tells.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, `ContextError`, or `DocumentError`.
    public func remove(_ photo: Photo, from pin: Pin) throws {
        try beginChange(of: photo, pin)
        guard !photo.isDeleted, !pin.isDeleted else { return }
        try rememberDeletion(of: photo) { pin.remove(photo) }
        try saveChanges()
    }

    // MARK: - Loading

    private nonisolated(nonsending) func loadAlbum(of pin: Pin, anew: Bool) async throws {
        try beginChange(of: pin)
        // The pin may have been deleted before this task began.
        guard !pin.isDeleted else { return }
        guard work.loadingAlbums.insert(pin.objectID).inserted else {
            throw PlacesError.albumIsLoading(pin: pin.name)
        }
        let identifier = pin.objectID
        defer { work.loadingAlbums.remove(identifier) }
        if anew { withoutUndo { pin.wantedPage = nextPage(of: pin) } }
        // The wanted page is on disk before anything else happens, so that a crash does not lose
        // it.
        try await save()
        repeat {
            while !pin.isDeleted, let page = pin.wantedPage { try await search(page, of: pin) }
            for _ in 0..<2 {
                guard try await loadPictures(of: pin) else { break }
            }
            // If the pin was moved meanwhile, it needs the photos of its new point.
            context.refreshAllObjects()
        } while !pin.isDeleted && pin.wantedPage != nil
    }

    /// Fills the album with a page of the source's photos.
    private nonisolated(nonsending) func search(_ page: Int, of pin: Pin) async throws {
        let point = pin.coordinate
        let area = CoordinateArea.circle(center: point, kilometers: searchRadius)
        let (number, found) = try await activity.during { [source] in
            try await source.albumPage(page, in: area)
        }
        // What is fetched in the background may be among the photos that go: it would come back, with
        // its place in the album, if it were written after this.
        try await inTurn {
            try withoutUndo {
                try replaceAlbum(of: pin, at: point, wanting: page, by: found, number)
            }
        }
        try await save()
    }

    /// Replaces an album by a page, which has another number than the wanted one if that was empty.
    private func replaceAlbum(
        of pin: Pin, at point: Coordinate, wanting page: Int, by found: PhotoPage, _ number: Int
    ) throws {
        try Task.checkCancellation()
        // Another view may have deleted or moved the pin: what is changed here would win over that.
        context.refreshAllObjects()
        guard !pin.isDeleted, pin.coordinate == point, pin.wantedPage == page else { return }
        guard page == 1 || !found.photos.isEmpty else {
            // The source has fewer pages than before.
            pin.wantedPage = found.usablePages < page ? max(1, found.usablePages) : 1
            return
        }
        if let failure = found.lackOfPhotos { throw failure }
        let importer = PhotoImport(into: context, options)
        let photos = Array(try importer.add(found.photos))
        let identifiers = Set(photos.map(\.objectID))
        for photo in Array(pin.photos) where !identifiers.contains(photo.objectID) {
            pin.remove(photo)
        }
        for photo in photos {
            pin.photos.insert(photo)
            photo.pictureState = photo.picture == nil ? .waiting : .ready
        }
        // If the source repeats its last page instead, this is the page that it returned.
        pin.page = min(number, max(1, found.page))
        pin.usablePages = found.photos.isEmpty ? 0 : max(1, found.usablePages)
        pin.wantedPage = nil
        try importer.save()
    }

    /// Fetches the missing pictures.
    ///
    /// - Returns: Whether another attempt may fetch those that failed.
    private nonisolated(nonsending) func loadPictures(of pin: Pin) async throws -> Bool {
        guard !pin.isDeleted else { return false }
        let photos = pin.photos.filter { $0.pictureState != .ready }
        guard !photos.isEmpty else { return false }
        // If the document was closed meanwhile, the next load asks for them as they are.
        defer {
            try? update(photos, of: pin) {
                if $0.pictureState.isMissing { $0.pictureState = .waiting }
            }
        }
        let found = FoundRecords()
        let pictures = ConcurrentWork(
            photos.map(\.pictureRequest), limit: images.options.transfersPerHost
        ) { [images, readdress = readdress(found)] in
            try await images.image($0, readdressing: readdress)
        }
        defer { pictures.cancel() }
        var mayRetry = false
        activity.requestCount += 1
        defer { activity.requestCount -= 1 }
        for await event in pictures.events {
            // If the pin was deleted or moved, also in another view, it needs none of the others.
            context.refreshAllObjects()
            if pin.isDeleted || pin.wantedPage != nil { return false }
            switch event {
            case .began(let index):
                try update([photos[index]], of: pin) {
                    $0.pictureState = $0.pictureState == .failed ? .retrying : .loading
                }
            case .finished(let index, .success(let data)):
                try update([photos[index]], of: pin) {
                    if let record = found.record(of: $0.uniqueID) { $0.takeAddresses(of: record) }
                    ($0.picture, $0.pictureState) = (data, .ready)
                }
                try await save(durability: .system)
            case .finished(let index, .failure(PhotoSourceError.gone)):
                let identifier = pin.objectID
                // It would come back if it were among those that are fetched in the background.
                try await inTurn {
                    try update([photos[index]], of: pin) { photo in
                        photo.pins.first { $0.objectID == identifier }?.remove(photo)
                    }
                }
                try await save(durability: .system)
            case .finished(_, .failure(is CancellationError)) where Task.isCancelled: continue
            case .finished(let index, .failure(let error)):
                try update([photos[index]], of: pin) {
                    if let error = error as? PhotoSourceError, error.isRetryable { mayRetry = true }
                    $0.pictureState = .failed
                }
                try await save(durability: .system)
            }
        }
        try Task.checkCancellation()
        return mayRetry
    }

    /// Changes those photos for whose pictures an album still waits, in what is saved.
    ///
    /// With a change that this view made itself, a photo would come back that another view deletes
    /// before the change is saved, which may be much later.
    private func update(
        _ photos: [Photo], of pin: Pin, _ change: (Photo) -> Void
    ) throws {
        try besides { context, _ in
            guard let pin = context.object(with: pin.objectID) as? Pin else { return }
            for case let photo as Photo in photos.compactMap({ context.object(with: $0.objectID) })
            where photo.pictureState != .ready && pin.photos.contains(photo) {
                change(photo)
            }
        }
    }

    /// The photos that still have something for an album, but no album.
    static var withoutAlbum: FetchRequest<Photo> {
        let unwanted = PictureState.unwanted
        return FetchRequest(
            predicate: #Predicate { $0.pictureState != unwanted && $0.pins.isEmpty })
    }

    /// The radius around a pin in which photos are searched, in kilometres.
    private var searchRadius: Double {
        let radii = source.caps.radii ?? 5...5
        return min(max(5, radii.lowerBound), radii.upperBound)
    }

    /// A page other than that of the album, if there is one.
    private func nextPage(of pin: Pin) -> Int {
        let pages = max(1, pin.usablePages ?? 1)
        guard pages > 1, (1...pages).contains(pin.page) else {
            return Int.random(in: 1...pages, using: &options.generator)
        }
        let page = Int.random(in: 1..<pages, using: &options.generator)
        return page < pin.page ? page : page + 1
    }
}

extension PhotoSource {
    /// A page for an album; in place of a first that is empty although it is not the only one, a later one.
    fileprivate func albumPage(
        _ number: Int, in area: CoordinateArea
    ) async throws -> (number: Int, page: PhotoPage) {
        let length = PhotoPage.standardLength
        let first = try await photos(in: area, page: number, perPage: length)
        guard number == 1, first.photos.isEmpty else { return (number, first) }
        var (last, page) = (1, first)
        // A second page is enough to tell a mistake, but says nothing of what follows pages without photos.
        while last < first.usablePages, last == 1 || page.isRefused {
            last += 1
            page = try await photos(in: area, page: last, perPage: length)
            if !page.photos.isEmpty { return (last, page) }
        }
        guard last >= first.usablePages, first.isRefused, page.isRefused else { return (1, first) }
        return (1, PhotoPage(page: 1, usablePages: 0, photos: []))
    }
}

extension PhotoPage {
    /// Whether it has no photos because its source told all that is on it to be none.
    fileprivate var isRefused: Bool {
        photos.isEmpty && droppedCount > 0 && droppedCount == refusedCount
    }

    /// The error of a page that has no photos, but does not say that there are none; nil for any other page.
    ///
    /// Services send such pages by mistake, and an album must not be lost by that.
    fileprivate var lackOfPhotos: PhotoSourceError? {
        guard photos.isEmpty, usablePages > 1 || droppedCount > 0 else { return nil }
        let what =
            droppedCount > 0
            ? "none of the \(droppedCount) photos on page \(page) can be used"
            : "page \(page) of \(usablePages) has no photos"
        return .malformedReply(what: what, position: nil)
    }
}
