import Foundation
import PlacesKit
import Testing

@Suite struct SamplePhotoSourceTests {

    @Test func `equal arguments give equal worlds, another seed another one`() async throws {
        let photos = try await SamplePhotoSource(seed: 42).recentPhotos(limit: 300)
        #expect(try await SamplePhotoSource(seed: 42).recentPhotos(limit: 300) == photos)
        let others = try await SamplePhotoSource(seed: 43).recentPhotos(limit: 300)
        #expect(Set(photos.map(\.identifier)).isDisjoint(with: others.map(\.identifier)))
        #expect(photos.map(\.title) != others.map(\.title))
    }

    @Test func `the world stays what it is from run to run`() throws {
        var generator = SplitMix64(seed: 1_234_567)
        #expect(generator.next() == 6_457_827_717_110_365_317, "the published first number")
        let photo = try #require(SamplePhotoSource(seed: 1).photo(at: 4_785))
        #expect(photo.identifier == "sample-1-4785")
        #expect(photo.owner == PhotoOwner(identifier: "photographer-78", name: "Ada Johnson"))
        #expect(photo.title == "Rainy Reflections")
    }

    @Test func `a photo names its place as the place does itself`() async throws {
        let source = SamplePhotoSource(placeCount: 300, photosPerPlace: 1)
        for (index, place) in try await source.places().enumerated() {
            let photo = try #require(source.photo(at: index))
            #expect(photo.placeIdentifier == place.identifier)
            #expect(photo.placeNames?.fullName == place.name)
        }
    }

    @Test func `photos come newest first, of one place and of all`() async throws {
        let source = SamplePhotoSource()
        let recent = try await source.recentPhotos(limit: 500).compactMap(\.uploaded)
        #expect(recent.count == 500)
        #expect(zip(recent, recent.dropFirst()).allSatisfy { $0 > $1 })
        #expect(recent.allSatisfy { $0 < SamplePhotoSource.defaultReferenceDate })

        let place = try #require(try await source.places().last)
        let photos = try await source.photos(in: place, limit: .max)
        #expect(photos.count == 60)
        let dates = photos.compactMap(\.uploaded)
        #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 > $1 })
        let middle = try #require(place.coordinate)
        for photo in photos {
            #expect(photo.placeIdentifier == place.identifier)
            let distance = try #require(photo.coordinate).distance(to: middle)
            // Kilometres.
            #expect(distance <= 4.04)
        }
    }

    @Test func `a hundred million photos cost nothing until one is asked for`() async throws {
        let source = SamplePhotoSource(
            placeCount: 10_000, photosPerPlace: 10_000, photographerCount: 1_000_000)
        #expect(source.photoCount == 100_000_000)
        let last = try #require(source.photo(at: 99_999_999))
        #expect(last.placeIdentifier == "place-9999")
        #expect(source.photo(at: 100_000_000) == nil)
        #expect(source.photo(at: -1) == nil)
        let places = try await source.places()
        #expect(Set(places.map(\.name)).count == 10_000)
        #expect(places.allSatisfy { $0.coordinate?.isValid == true })
        let page = try await source.photos(
            near: Coordinate(latitude: 48.857, longitude: 2.352), kilometers: 10, page: 2,
            perPage: 50)
        #expect(page.photos.count == 50)
    }

    @Test func `even absurd sizes are worlds`() async throws {
        let source = SamplePhotoSource(
            seed: .max, placeCount: 3, photosPerPlace: .max, photographerCount: .min)
        let photo = try #require(source.photo(at: source.photoCount - 1))
        #expect(photo.owner.identifier == "photographer-0")
        let empty = SamplePhotoSource(placeCount: -1, photosPerPlace: -1)
        #expect(try await empty.places().isEmpty)
        #expect(try await empty.recentPhotos(limit: 10).isEmpty)
    }

    @Test func `some photos lack a title, some any words, and most have both`() async throws {
        let photos = try await SamplePhotoSource().recentPhotos(limit: 5_000)
        let untitled = photos.count { $0.title.isEmpty }
        let unknown = photos.count { $0.displayTitle == "Unknown" }
        #expect((300...1_100).contains(untitled), "\(untitled)")
        #expect((100...350).contains(unknown), "\(unknown)")
        #expect(Set(photos.map(\.owner)).count == 200)
        #expect(Set(photos.map(\.owner.name)).count == 200)
        #expect(Set(photos.compactMap(\.license)).count == 4)
        #expect(
            photos.allSatisfy { $0.taken != nil && $0.pageURL != nil && !$0.creditLine.isEmpty })
    }

    @Test func `photos near a point lie near it, and pages do not overlap`() async throws {
        let source = SamplePhotoSource()
        let center = Coordinate(latitude: 48.87, longitude: 2.345)
        var found: [PhotoRecord] = []
        var number = 1
        var page: PhotoPage
        repeat {
            page = try await source.photos(near: center, kilometers: 5, page: number)
            found += page.photos
            number += 1
        } while number <= page.usablePages
        #expect(page.page == page.usablePages)
        #expect(found.allSatisfy { ($0.coordinate?.distance(to: center) ?? 99) <= 5 })
        #expect(Set(found.map(\.identifier)).count == found.count)

        let all = try await source.recentPhotos(limit: .max)
        let expected = all.filter { ($0.coordinate?.distance(to: center) ?? 99) <= 5 }
        #expect(found == expected)
        #expect(expected.count > 60)

        let beyond = try await source.photos(near: center, kilometers: 5, page: .max)
        #expect(beyond.photos.isEmpty)
        let ocean = Coordinate(latitude: 0, longitude: -30)
        #expect(try await source.photos(near: ocean, kilometers: 5).usablePages == 0)
        await #expect(throws: PhotoSourceError.self) {
            try await source.photos(near: center, kilometers: .nan)
        }
    }

    @Test(arguments: ["+5", "05", " 5", "-1", "999999999", ""])
    func `an identifier that this world does not give is that of nothing`(number: String)
        async throws
    {
        let source = SamplePhotoSource()
        await #expect(throws: PhotoSourceError.gone(what: "The sample photo “sample-1-\(number)”"))
        {
            try await source.details(ofPhoto: "sample-1-\(number)")
        }
        let place = PlaceRecord(identifier: "place-\(number)", name: "")
        #expect(try await source.photos(in: place, limit: 5).isEmpty)
        #expect(try await source.details(ofPhoto: "sample-1-5").identifier == "sample-1-5")
    }

    @Test(arguments: [
        "sample:999999999/square", "sample:-1/square", "sample:0/huge", "sample:0",
        "https://x.org/0",
    ])
    func `a picture this world does not have is an error`(address: String) async throws {
        let variant = PhotoVariant(name: "x", url: try #require(URL(string: address)))
        await #expect(throws: PhotoSourceError.self) {
            try await SamplePhotoSource().data(for: variant)
        }
    }

    @Test func `a cancelled task gets CancellationError`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await SamplePhotoSource().places()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
