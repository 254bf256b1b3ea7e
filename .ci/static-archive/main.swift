// Links PlacesKit from a plain static archive, from which the linker takes only the object files that
// somebody names, and asks a predicate of every kind of expression: each must be compiled.
import Foundation
import PlacesKit

enum Rank: Int, AttributeValue, CaseIterable, Codable, Comparable {
    case low, middle, high
    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
}

class Photo: ManagedObject {
    @Attribute var title = ""
    @Attribute var subtitle: String?
    @Attribute var isFavorite = false
    @Attribute var isHidden: Bool?
    @Attribute var size = 0
    @Attribute var width = 0.0
    @Attribute var number = 0 as UInt
    @Attribute var price = 0 as Decimal
    @Attribute var rank = Rank.low
    @Attribute var taken = Date.distantPast
    @Attribute var viewed: Date?
    @Relationship(inverse: \Place.photos) var place: Place?
    @Relationship(inverse: \Place.pages) var page: Place?
}

final class Portrait: Photo {
    @Attribute var person = ""
}

final class Place: ManagedObject {
    @Attribute var name = ""
    @Attribute var area = 0
    @Relationship var photos: ObjectSet<Photo>
    @Relationship var pages: OrderedObjectSet<Photo>
}

let store = try GraphStore(model: [Photo.self, Portrait.self, Place.self])
let context = ManagedObjectContext(store)
let place = Place(context: context)
place.name = "Paris"
let photo = Photo(context: context)
photo.title = "Dusk"
photo.place = place
photo.page = place
let portrait = Portrait(context: context)
try context.save()

var count = 0
var failures: [String] = []

@MainActor func compiled<Object: ManagedObject>(_ name: String, _ predicate: Predicate<Object>)
    throws
{
    count += 1
    let explanation = try FetchRequest(predicate: predicate).explain(in: context)
    for reason in explanation.notCompiled { failures.append("\(name) is not compiled: \(reason)") }
}

let (photoID, now) = (photo.objectID, Date.now)
let names = ["Paris": 1, "Rome": 2]
let (high, same) = (Rank.high, ComparisonResult.orderedSame)

try compiled("a truth value", #Predicate<Photo> { $0.isFavorite })
try compiled("==", #Predicate<Photo> { $0.title == "Dusk" })
try compiled("!=", #Predicate<Photo> { $0.title != "Dusk" })
try compiled("nil", #Predicate<Photo> { $0.subtitle == nil })
try compiled("<", #Predicate<Photo> { $0.size < 3 })
try compiled("< of an enum", #Predicate<Photo> { $0.rank < high })
try compiled("< of dates", #Predicate<Photo> { $0.taken < now })
try compiled("a UInt", #Predicate<Photo> { $0.number > 3 })
try compiled("a Decimal", #Predicate<Photo> { $0.price > 3 })
try compiled("&&", #Predicate<Photo> { $0.isFavorite && $0.size < 3 })
try compiled("||", #Predicate<Photo> { $0.isFavorite || $0.size < 3 })
try compiled("!", #Predicate<Photo> { !$0.isFavorite })
try compiled("?:", #Predicate<Photo> { ($0.isFavorite ? $0.size : 3) == 3 })
try compiled("??", #Predicate<Photo> { ($0.subtitle ?? "") == "" })
try compiled("?? of truth values", #Predicate<Photo> { $0.isHidden ?? true })
try compiled("?.", #Predicate<Photo> { $0.place?.name == "Paris" })
try compiled("flatMap", #Predicate<Photo> { $0.place.flatMap { $0.area + 1 } == 1 })
// swift-format-ignore: NeverForceUnwrap
try compiled("force unwrapping", #Predicate<Photo> { $0.place!.name == "Paris" })
try compiled("+ - *", #Predicate<Photo> { $0.size * 2 + 1 - $0.size > 3 })
try compiled("/ of integers", #Predicate<Photo> { $0.size / 2 > 3 })
try compiled("%", #Predicate<Photo> { $0.size % 2 == 1 })
try compiled("/", #Predicate<Photo> { $0.width / 2 > 3 })
try compiled("unary -", #Predicate<Photo> { -$0.size > 3 })
try compiled("a range", #Predicate<Photo> { (1..<3).contains($0.size) })
try compiled("a closed range", #Predicate<Photo> { (1...3).contains($0.size) })
try compiled("a range of properties", #Predicate<Place> { (1..<$0.area).contains(3) })
try compiled("a closed range of properties", #Predicate<Place> { (1...$0.area).contains(3) })
try compiled("is", #Predicate<Photo> { $0 is Portrait })
try compiled("as?", #Predicate<Photo> { ($0 as? Portrait)?.person == "" })
// swift-format-ignore: NeverForceUnwrap
try compiled("as!", #Predicate<Photo> { ($0 as! Portrait).person == "" })
try compiled("objectID", #Predicate<Photo> { $0.objectID == photoID })
try compiled("count", #Predicate<Place> { $0.photos.count > 1 })
try compiled("count of an ordered relationship", #Predicate<Place> { $0.pages.count > 1 })
try compiled("isEmpty", #Predicate<Place> { $0.photos.isEmpty })
try compiled("isEmpty of text", #Predicate<Photo> { $0.title.isEmpty })
try compiled("contains(where:)", #Predicate<Place> { $0.photos.contains { $0.isFavorite } })
try compiled("allSatisfy", #Predicate<Place> { $0.photos.allSatisfy { $0.isFavorite } })
try compiled("filter", #Predicate<Place> { $0.photos.filter { $0.isFavorite }.count > 1 })
try compiled(
    "filter of an ordered relationship",
    #Predicate<Place> { $0.pages.filter { $0.isFavorite }.isEmpty })
try compiled("contains of an array", #Predicate<Photo> { [1, 2].contains($0.size) })
try compiled("contains of identifiers", #Predicate<Photo> { [photoID].contains($0.objectID) })
try compiled(
    "contains of a relationship",
    #Predicate<Photo> { photo in
        photo.place?.photos.contains { $0.objectID == photo.objectID } == true
    })
try compiled("contains of text", #Predicate<Photo> { $0.title.contains("us") })
try compiled("starts", #Predicate<Photo> { $0.title.starts(with: "D") })
try compiled(
    "localizedStandardContains", #Predicate<Photo> { $0.title.localizedStandardContains("dusk") })
try compiled(
    "caseInsensitiveCompare", #Predicate<Photo> { $0.title.caseInsensitiveCompare("dusk") == same })
try compiled("a dictionary", #Predicate<Place> { names[$0.name] == 1 })
try compiled("a dictionary with a default", #Predicate<Place> { names[$0.name, default: 0] == 1 })
try compiled("a subscript", #Predicate<Place> { [1, 2][$0.area] == 1 })

// What is asked of the objects is asked with care: this would stop the program.
let most = Int.max
let careless = #Predicate<Photo> { $0.title.count * most > 0 }
if try context.count(FetchRequest(predicate: careless)) != 0 {
    failures.append("an overflow matched")
}

// Live results wake when a predicate moves with the time.
let recent = FetchRequest<Photo>(timedPredicate: { now in
    let (limit, past) = (now - 48 * 3600, Date.distantPast)
    return #Predicate { ($0.viewed ?? past) > limit && !$0.isFavorite }
})
let timing = try recent.explain(in: context).timing
if timing != ["viewed > now - 172800 s, followed by an order of its own"] {
    failures.append("the time is not followed: \(timing)")
}

// Values of every type are arguments.
let number: UInt8 = 0
let arguments: [Any?] = [number, 0 as Decimal, 0 as UInt64, photo, now]
let format = "size == %@ AND price == %@ AND number == %@ AND self == %@ AND taken < %@"
var request = FetchRequest<Photo>()
request.format = try PredicateFormat(format, arguments: arguments)
if try context.count(request) != 1 { failures.append("an argument was lost") }

// An error's description is found by a cast.
let error: any Error = PhotoSourceError.gone(what: "The photo")
if error.localizedDescription.contains("PhotoSourceError") { failures.append("\(error)") }

for failure in failures { print(failure) }
print("\(count) predicates, \(failures.count) not compiled")
exit(failures.isEmpty ? 0 : 1)
