import Foundation
import PlacesKit

/// Edits of the objects that members share.
enum SharingEdits {
    /// Changes something at random; texts say when.
    static func change(
        _ context: ManagedObjectContext, _ occasion: String, using random: inout SeededGenerator
    ) throws {
        let (stops, trips) = (
            try context.fetch(FetchRequest<SharingModel.Stop>()),
            try context.fetch(FetchRequest<SharingModel.Trip>())
        )
        let (stop, trip) = (
            stops.randomElement(using: &random), trips.randomElement(using: &random)
        )
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1, 2:
            let code = "stop \(Int.random(in: 0..<30, using: &random))"
            let stop = try context.findOrInsert(SharingModel.Stop.self, \.code, code)
            stop.title = "new at \(occasion)"
            stop.trip = trip
        case 3:
            let name = "tag \(Int.random(in: 0..<8, using: &random))"
            let tag = try context.findOrInsert(SharingModel.Tag.self, \.name, name)
            stop?.tags.insert(tag)
        case 4: SharingModel.Trip(context: context).title = "trip of \(occasion)"
        case 5: if let stop { context.delete(stop) }
        case 6: if let trip { context.delete(trip) }
        case 7: stop?.title = "edited at \(occasion)"
        case 8: stop?.nights = Int.random(in: 0...1000, using: &random)
        case 9: stop?.trip = trip
        case 10:
            guard let trip, trip.stops.count > 1 else { return }
            let positions = 0..<trip.stops.count
            trip.stops.move(
                fromOffsets: [Int.random(in: positions, using: &random)],
                toOffset: Int.random(in: positions, using: &random))
        case 11:
            let guest = SharingModel.Guest(context: context)
            guest.trip = trip
        default: if let stop, let tag = stop.tags.first { stop.tags.remove(tag) }
        }
    }
}
