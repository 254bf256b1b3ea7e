import Foundation
import PlacesKit

extension PlacesKitContestant {
    /// The newest photos of the places whose name begins with a prefix.
    func newestOfPlaces(_ round: inout Round) throws -> Checksum {
        let context = try library.get()
        return try round.measure {
            var checksum = Checksum()
            for prefix in world.namePrefixes {
                let request = FetchRequest<Library.Photo>(
                    predicate: #Predicate { $0.takenAt?.name.starts(with: prefix) == true },
                    sortBy: [SortDescriptor(\.dateUploaded, order: .reverse)],
                    limit: world.limit)
                for photo in try context.fetch(request) {
                    checksum.append(photo.uniqueID.utf8)
                    checksum.append(photo.views)
                }
            }
            return checksum
        }
    }

    /// The first photos of a span of time.
    func firstOfSpans(_ round: inout Round) throws -> Checksum {
        let context = try library.get()
        return try round.measure {
            var checksum = Checksum()
            for span in world.spans {
                let (start, end) = (span.lowerBound, span.upperBound)
                let request = FetchRequest<Library.Photo>(
                    predicate: #Predicate { $0.dateUploaded >= start && $0.dateUploaded < end },
                    sortBy: [SortDescriptor(\.dateUploaded)], limit: world.limit)
                for photo in try context.fetch(request) {
                    checksum.append(photo.uniqueID.utf8)
                    checksum.append(photo.views)
                }
            }
            return checksum
        }
    }

    /// The newest photos with words in their title.
    func search(_ round: inout Round) throws -> Checksum {
        let context = try library.get()
        return try round.measure {
            var checksum = Checksum()
            for words in world.searches {
                var request = FetchRequest<Library.Photo>(
                    sortBy: [SortDescriptor(\.dateUploaded, order: .reverse)], limit: world.limit)
                request.search = TextSearch(words.joined(separator: " "), in: \.title)
                for photo in try context.fetch(request) { checksum.append(photo.uniqueID.utf8) }
            }
            return checksum
        }
    }

    /// The photos in whose title words count most.
    func searchRanked(_ round: inout Round) throws -> Checksum {
        let context = try library.get()
        return try round.measure {
            var checksum = Checksum()
            for words in world.searches {
                let search = TextSearch<Library.Photo>(
                    words.joined(separator: " "), in: \.title)
                var request = FetchRequest<Library.Photo>(
                    sortBy: [SortDescriptor(relevanceTo: search)], limit: world.limit)
                request.search = search
                var count = 0
                for photo in try context.fetch(request) {
                    let snippet = search.snippet(of: photo.title, maximumWords: 8)
                    count += photo.uniqueID.isEmpty || snippet.text.isEmpty ? 0 : 1
                }
                checksum.append(count)
            }
            return checksum
        }
    }

    /// Photos whose title contains a text, whatever its case and accents.
    func countTitles(_ round: inout Round) throws -> Checksum {
        let context = try loaded.get()
        return try round.measure {
            var checksum = Checksum()
            for text in world.searchedTexts {
                let request = try FetchRequest<Photo>(where: "title CONTAINS[cd] %@", text)
                checksum.append(try context.count(request))
            }
            return checksum
        }
    }
}
