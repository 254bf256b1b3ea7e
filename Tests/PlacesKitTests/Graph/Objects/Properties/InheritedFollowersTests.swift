import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Indexes, unique combinations and derived attributes of classes that inherit from each other.
@Suite struct InheritedFollowersTests {
    class Vehicle: ManagedObject {
        @Attribute(.indexed) var price = 10
        @Attribute var maker: String?
        @Attribute var number: Int?
        @Attribute var isSold = false
        @Relationship(inverse: \Dealer.stock) var dealer: Dealer?

        override class var constraints: [EntityConstraint] {
            [.unique(\Vehicle.maker, \Vehicle.number)]
        }
    }

    final class Truck: Vehicle {
        @Attribute(.indexed) var load = 7
        @Relationship var trailers: ObjectSet<Trailer>
        @Derived(count: \Truck.trailers) var length: Int
        @Derived(max: \Truck.trailers, \Trailer.weight) var heaviest: Int?
        @Derived(from: \Truck.price, \Truck.load, \Truck.heaviest, by: { $0 + $1 + ($2 ?? 0) })
        var rating: Int
    }

    final class Car: Vehicle {
        @Attribute var seats = 5
    }

    final class Trailer: ManagedObject {
        @Attribute var weight = 1
        @Relationship(inverse: \Truck.trailers) var truck: Truck?
    }

    final class Dealer: ManagedObject {
        @Relationship var stock: ObjectSet<Vehicle>
        @Derived(any: \Dealer.stock, where: \Vehicle.isSold) var hasSold: Bool
        @Derived(sum: \Dealer.stock, \Vehicle.price) var worth: Int
    }

    let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [
                Car.self, Truck.self, Trailer.self, Vehicle.self, Dealer.self,
            ]))
    }

    @Test func `what is derived over a superclass counts objects of all subclasses`() throws {
        let dealer = Dealer(context: context)
        let (truck, car) = (Truck(context: context), Car(context: context))
        dealer.stock.insert(truck)
        dealer.stock.insert(car)
        car.price = 32
        #expect(dealer.worth == 42 && !dealer.hasSold)
        truck.isSold = true
        #expect(dealer.hasSold)
        try context.save()
        context.delete(truck)
        #expect(dealer.worth == 32 && !dealer.hasSold)
        try context.checkIntegrity()
        context.rollback()
        #expect(dealer.worth == 42)
        try context.checkIntegrity()
    }

    @Test func `a subclass has derived attributes of its own`() throws {
        let truck = Truck(context: context)
        #expect(truck.rating == 17)
        _ = Car(context: context)
        #expect(truck.length == 0 && truck.heaviest == nil)
        try context.save()
        for weight in [3, 8] {
            let trailer = Trailer(context: context)
            trailer.weight = weight
            truck.trailers.insert(trailer)
        }
        #expect(truck.length == 2 && truck.heaviest == 8)
        try context.save()
        let long = FetchRequest<Truck>(predicate: #Predicate { $0.length == 2 })
        #expect(try context.fetch(long).map { $0 } == [truck])
        try context.checkIntegrity()
    }

    @Test func `an index of a subclass finds its objects alone`() throws {
        let loads = [9, 3, 7, 1, 5]
        for load in loads {
            Truck(context: context).load = load
            _ = Car(context: context)
            Vehicle(context: context).price = load
        }
        try context.save()
        let heavy = FetchRequest<Truck>(
            predicate: #Predicate { $0.load > 4 }, sortBy: [SortDescriptor(\.load)])
        #expect(try context.fetch(heavy).map(\.load) == [5, 7, 9])
        let lightest = FetchRequest<Truck>(sortBy: [SortDescriptor(\.load)], limit: 2)
        #expect(try context.fetch(lightest).map(\.load) == [1, 3])
        let cheap = FetchRequest<Vehicle>(
            predicate: #Predicate { $0.price < 6 }, sortBy: [SortDescriptor(\.price)])
        #expect(try context.fetch(cheap).map(\.price) == [1, 3, 5])
        let cars = FetchRequest<Car>(sortBy: [SortDescriptor(\.price)], limit: 3)
        #expect(try context.fetch(cars).map(\.seats) == [5, 5, 5])
        try context.checkIntegrity()
    }

    @Test func `a unique combination of a superclass holds among all subclasses`() throws {
        let (truck, car) = (Truck(context: context), Car(context: context))
        for vehicle in [truck, car] {
            vehicle.maker = "M"
            vehicle.number = 1
        }
        #expect(throws: ContextError.self) { try context.save() }
        car.number = 2
        try context.save()
        #expect(
            context.store.model.schema.entities.map(\.uniqueConstraints.count) == [0, 0, 0, 1, 0])
    }
}
