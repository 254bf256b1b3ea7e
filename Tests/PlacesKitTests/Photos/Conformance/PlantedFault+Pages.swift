import Foundation
import PlacesKit

extension PlantedFault {
    static let pages: [PlantedFault] = [
        inChoice("pages overlap by one photo") { all, page, length in
            Array(all.dropFirst((page - 1) * (length - 1)).prefix(length))
        },
        inChoice("pages skip a photo between them") { all, page, length in
            Array(all.dropFirst((page - 1) * (length + 1)).prefix(length))
        },
        inChoice("the last photo of each page is lost") { all, page, length in
            Array(all.dropFirst((page - 1) * length).prefix(length).dropLast())
        },
        inChoice("each page is the first") { all, _, length in Array(all.prefix(length)) },
        inChoice("the second page is the first again") { all, page, length in
            Array(all.dropFirst(max(0, page - 2) * length).prefix(length))
        },
        inChoice("pages count from 0") { all, page, length in
            Array(all.dropFirst(page * length).prefix(length))
        },
        inChoice("the order is another for each length of pages") { all, page, length in
            let sorted = all.sorted {
                length % 2 == 0 ? $0.identifier < $1.identifier : $0.identifier > $1.identifier
            }
            return Array(sorted.dropFirst((page - 1) * length).prefix(length))
        },
        inChoice("the order is another each time") { all, page, length in
            Array(all.shuffled().dropFirst((page - 1) * length).prefix(length))
        },
        inChoice("the length of a page is ignored") { all, page, _ in
            Array(all.dropFirst((page - 1) * 21).prefix(21))
        },
        inChoice("the last page is empty") { all, page, length in
            page * length >= all.count
                ? [] : Array(all.dropFirst((page - 1) * length).prefix(length))
        },
        inPages("a page has one photo too many") { page in
            page.photos += page.photos.isEmpty ? [] : [PhotoRecord(identifier: "one more")]
        },
        inPages("a page repeats its first photo") { page in
            if page.photos.count > 1 { page.photos[1] = page.photos[0] }
        },
        inPages("every page says that it is the first") { $0.page = 1 },
        inPages("pages say the number that counts from 0") { $0.page -= 1 },
        inPages("one page too many is counted") { page in
            page.usablePages += 1
            page.ending = page.page < page.usablePages ? nil : .complete
        },
        inPages("more pages are counted than numbers can count photos of") { page in
            page.usablePages = .max
            page.ending = nil
        },
        inPages("fewer pages than none are counted") { page in
            page.usablePages = .min
            page.ending = .complete
        },
        inPages("one page too few is counted") { page in
            page.usablePages -= 1
            page.ending = page.page < page.usablePages ? nil : .complete
        },
        inPages("the photos are counted instead of the pages") { page in
            page.usablePages *= 5
            page.ending = page.page < page.usablePages ? nil : .complete
        },
        inPages("the pages that are left are counted") { page in
            page.usablePages -= page.page - 1
            page.ending = page.page < page.usablePages ? nil : .complete
        },
        inPages("pages in the middle are empty") { page in
            if page.page > 4, page.page < page.usablePages { page.photos = [] }
        },
        inPages("no page says that it is the last") { $0.ending = nil },
        inPages("the first page says that it is the last") { page in
            if page.page == 1 { page.ending = .complete }
        },
        inPages("less than no photos are left out") { $0.droppedCount = -1 },
        inPages("no photos are found") { $0 = PhotoPage(page: 1, usablePages: 0, photos: []) },
        PlantedFault("a page beyond the last is the first under its number") { source in
            source.page = { area, number, perPage in
                var page = try await base.photos(in: area, page: number, perPage: perPage)
                if number > page.usablePages {
                    page.photos =
                        try await base.photos(in: area, page: 1, perPage: perPage).photos
                }
                return page
            }
        },
        PlantedFault("a page beyond the last is an error") { source in
            source.page = { area, number, perPage in
                let page = try await base.photos(in: area, page: number, perPage: perPage)
                guard number <= max(1, page.usablePages) else {
                    throw PhotoSourceError.http(status: 404, retryAfter: nil)
                }
                return page
            }
        },
        PlantedFault("pages are longer than the source's caps say") { source in
            source.caps.pageLength = 3
        },
        PlantedFault("searches reach further than the source's caps say") { source in
            source.caps.reach = 20
        },
        PlantedFault("radii are taken for miles") { source in
            source.page = { area, number, perPage in
                guard case .circle(let center, let radius) = area else {
                    return try await base.photos(in: area, page: number, perPage: perPage)
                }
                return try await base.photos(
                    in: .circle(center: center, kilometers: radius * 1.609), page: number,
                    perPage: perPage)
            }
        },
        PlantedFault("boxes are widened to twice their size") { source in
            source.page = { area, number, perPage in
                guard case .box(let box) = area else {
                    return try await base.photos(in: area, page: number, perPage: perPage)
                }
                return try await base.photos(
                    in: .box(CoordinateBox(center: box.center, degrees: 4.0 / 112)), page: number,
                    perPage: perPage)
            }
        },
        PlantedFault("the area is ignored") { source in
            source.page = { area, number, perPage in
                try PhotoSourceCaps().validate(area, page: number, perPage: perPage)
                let all = try await base.recentPhotos(limit: 4_000)
                return PhotoPage(
                    page: number, usablePages: (all.count + perPage - 1) / perPage,
                    photos: Array(all.dropFirst((number - 1) * perPage).prefix(perPage)))
            }
        },
        PlantedFault("all searches are of the first area") { source in
            source.page = { area, number, perPage in
                try PhotoSourceCaps().validate(area, page: number, perPage: perPage)
                let paris = CoordinateArea.circle(center: StandInWorld.paris, kilometers: 5)
                return try await base.photos(in: paris, page: number, perPage: perPage)
            }
        },
    ]
}
