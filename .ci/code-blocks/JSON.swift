@testable import PlacesBase
@testable import PlacesGraph

struct File {
    func write(_ bytes: some Any) throws {}
}
static func load(_ bytes: [UInt8]) throws {}
static let file = File()
static let bytes: [UInt8] = []
static var title = ""
static var views: Int64 = 0
