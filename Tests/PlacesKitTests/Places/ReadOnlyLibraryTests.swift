import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// A library that is only read, while somebody else may be writing it.
@MainActor @Suite(.endsWaiting) struct ReadOnlyLibraryTests {
    private func read(
        _ fixture: LibraryFixture, _ source: any PhotoSource = TestSource()
    ) async throws -> PlacesLibrary {
        fixture.options.document.isReadOnly = true
        defer { fixture.options.document.isReadOnly = false }
        return try await fixture.open(source)
    }

    /// Each file of a folder, with what it holds and when it was changed.
    private func files(in folder: URL) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) {
            let url = folder.appending(path: name)
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path())
            let content = (try? Data(contentsOf: url)) ?? Data()
            files[name] = "\(attributes[.modificationDate] as Any) \(content.base64EncodedString())"
        }
        return files
    }

    @Test func `what is committed is read while another writes`() async throws {
        try await LibraryFixture.with { fixture in
            let writer = try await fixture.open(TestSource())
            let photo = try writer.view(record("1"))
            try writer.dropPin(at: Coordinate(latitude: 1, longitude: 2), named: "Here")
            try writer.setMapRegion(
                MapRegion(
                    center: Coordinate(latitude: 3, longitude: 4), latitudeDelta: 5,
                    longitudeDelta: 6))
            try await writer.document.save()
            try writer.view(record("2"))
            let reader = try await read(fixture)
            #expect(reader.isReadOnly && !writer.isReadOnly)
            #expect(try reader.history().objects.map(\.title) == ["1"])
            #expect(try reader.recents().objects.map(\.title) == ["1"])
            #expect(try reader.places(.viewed).objects.count == 1)
            #expect(try reader.pins().objects.map(\.name) == ["Here"])
            #expect(try reader.mapRegion()?.latitudeDelta == 5)
            try writer.removeFromRecents(photo)
            try await writer.close()
            try await reader.close()
            #expect(try await read(fixture).history().objects.map(\.title) == ["2"])
        }
    }

    @Test func `what would change a library that is only read is refused before it begins`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let writer = try await fixture.open(TestSource([record("1")]))
            try await writer.loadTopPlaces()
            try writer.view(record("1"))
            try writer.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            try await writer.document.save()
            let source = TestSource([record("2")])
            let library = try await read(fixture, source)
            let photo = try #require(try library.history().objects.first)
            let pin = try #require(try library.pins().objects.first)
            let place = try #require(try library.topPlaces().objects.first)
            let point = Coordinate(latitude: 7, longitude: 8)
            let map = MapRegion(center: point, latitudeDelta: 1, longitudeDelta: 1)
            let changes: [(String, @MainActor () async throws -> Void)] = [
                ("loadTopPlaces", { try await library.loadTopPlaces() }),
                ("loadPhotos", { try await library.loadPhotos(of: place) }),
                ("fetchRecentPhotos", { try await library.fetchRecentPhotos() }),
                (
                    "fetchRecentPhotos(every:)",
                    { try await library.fetchRecentPhotos(every: .seconds(1)) }
                ),
                ("prune", { try await library.prune() }),
                ("view", { try library.view(photo) }),
                ("view a record", { try library.view(record("3")) }),
                ("removeFromRecents", { try library.removeFromRecents(photo) }),
                ("setFavorite", { try await library.setFavorite(true, for: photo) }),
                ("toggleFavorite", { try await library.toggleFavorite(photo) }),
                ("restoreFavoriteImages", { try await library.restoreFavoriteImages() }),
                ("delete a photo", { try await library.delete(photo) }),
                ("dropPin", { try library.dropPin(at: point) }),
                ("move", { try library.move(pin, to: point) }),
                ("delete a pin", { try library.delete(pin) }),
                ("loadAlbum", { try await library.loadAlbum(of: pin) }),
                ("newCollection", { try await library.newCollection(of: pin) }),
                ("resumeAlbums", { try await library.resumeAlbums() }),
                ("remove", { try library.remove(photo, from: pin) }),
                ("setMapRegion", { try library.setMapRegion(map) }),
            ]
            for (name, change) in changes {
                let error = await #expect(throws: DocumentError.self, "\(name)") {
                    try await change()
                }
                guard case .readOnly? = error else {
                    Issue.record("\(name): \(error as Any)")
                    continue
                }
                #expect(!library.context.hasChanges, "\(name)")
            }
            #expect(source.with { $0.namesAsked + $0.picturesAsked } == [])
            #expect(source.with(\.pagesAsked) == [])
            try await library.close()
        }
    }

    @Test func `a library that nobody has made yet is empty, and is not made by reading it`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let reader = try await read(fixture, TestSource([record("1")]))
            #expect(try reader.topRegions().objects.isEmpty && reader.pins().objects.isEmpty)
            #expect(try reader.mapRegion() == nil)
            #expect(try await reader.document.history().isEmpty)
            #expect(try await reader.browsePlaces().map(\.title) == ["Paris"])
            await #expect(throws: DocumentError.self) { try await reader.loadTopPlaces() }
            try await reader.close()
            #expect(try files(in: fixture.folder).isEmpty)
            fixture.options.document.createsDocument = false
            await #expect(throws: DocumentError.self) { _ = try await read(fixture) }
        }
    }

    @Test func `a library in which its writer has saved nothing yet is empty`() async throws {
        try await LibraryFixture.with { fixture in
            let writer = try await fixture.open(TestSource())
            #expect(try await read(fixture).history().objects.isEmpty)
            try writer.view(record("1"))
            try await writer.close()
            #expect(try await read(fixture).history().objects.count == 1)
        }
    }

    @Test func `reading touches no file, not even what a crash has left`() async throws {
        try await LibraryFixture.with { fixture in
            let writer = try await fixture.open(TestSource())
            let photo = try writer.view(record("1"))
            try await writer.setFavorite(true, for: photo)
            try writer.view(record("2"))
            try await writer.close()
            let library = fixture.folder.appending(path: "Library")
            let journal = try #require(
                try files(in: library).keys.filter { $0.hasPrefix("journal") }.max())
            let handle = try FileHandle(forWritingTo: library.appending(path: journal))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(#"{"commit":"#.utf8))
            try handle.close()
            try Data("half".utf8).write(
                to: library.appending(path: ".snapshot-9.json.1.tmp"))
            let before = try files(in: fixture.folder)
            let reader = try await read(fixture)
            #expect(reader.document.recovery.findings.count == 1)
            #expect(try reader.history().objects.map(\.title).sorted() == ["1", "2"])
            try await reader.close()
            #expect(try files(in: fixture.folder) == before)
        }
    }

    @Test func `pictures of favorites are shown from disk, and stay as they are`() async throws {
        try await LibraryFixture.with { fixture in
            fixture.options.images.memoryByteLimit = 0
            let writer = try await fixture.open(TestSource())
            let photo = try writer.view(record("1"))
            try await writer.setFavorite(true, for: photo)
            let files = fixture.imageFiles
            let source = TestSource()
            let reader = try await read(fixture, source)
            let favorite = try #require(try reader.photos(.favorites).objects.first)
            #expect(try await reader.picture(of: favorite) == .picture("1-large"))
            #expect(source.with(\.picturesAsked).isEmpty)
            await #expect(throws: ImageCacheError.self) {
                try await reader.images.remove(photo: "1")
            }
            #expect(fixture.imageFiles == files)
        }
    }

    @Test func `a small picture is shown and not kept`() async throws {
        try await LibraryFixture.with { fixture in
            let writer = try await fixture.open(TestSource())
            let kept = try writer.view(record("kept"))
            try writer.view(record("other"))
            let thumbnail = try await writer.thumbnail(of: kept)
            try await writer.document.save()
            let source = TestSource()
            let reader = try await read(fixture, source)
            for photo in try reader.history().objects {
                let expected = photo.title == "kept" ? thumbnail : .picture("other-small")
                #expect(try await reader.thumbnail(of: photo) == expected)
            }
            #expect(source.with(\.picturesAsked) == ["other-small"])
            let stored = try reader.context.fetch(Photo.self).filter { $0.thumbnail != nil }
            #expect(stored.map(\.title) == ["kept"])
            try await reader.close()
        }
    }

    @Test func `a reader is closed as it is, also where it could not follow its writer`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let writer = try await fixture.open(TestSource())
            try writer.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            try await writer.document.save()
            try writer.view(record("1"))
            try await writer.close()
            fixture.options.document.followsWriter = true
            let reader = try await read(fixture)
            // An earlier state of the files is an error.
            let journal = fixture.folder.appending(path: "Library/journal-1.jsonl")
            let whole = try Data(contentsOf: journal)
            try whole[...(try #require(whole.firstIndex(of: 0x0A)))].write(to: journal)
            try await wait {
                if case .readingError = reader.document.state { true } else { false }
            }
            try #require(try reader.pins().objects.first).name = "Office"
            try await reader.close()
            guard case .editingDisabled = reader.document.state else {
                throw Unexpected(reader.document.state)
            }
        }
    }

    @Test func `a damaged library tells a reader what it tells a writer`() async throws {
        try await LibraryFixture.with { fixture in
            let writer = try await fixture.open(TestSource())
            try writer.view(record("1"))
            try await writer.close()
            let snapshot = fixture.folder.appending(path: "Library/snapshot-1.json")
            try Data("{".utf8).write(to: snapshot)
            let errors = [
                await #expect(throws: DocumentError.self) { _ = try await read(fixture) },
                await #expect(throws: DocumentError.self) {
                    _ = try await fixture.open(TestSource())
                },
            ]
            #expect(errors[0]?.description == errors[1]?.description)
            guard case .damaged? = errors[0] else { throw Unexpected(errors[0]) }
        }
    }
}
