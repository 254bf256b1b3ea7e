struct MySource: PhotoSource {
    let name = ""
    let capabilities: Set<PhotoSourceCapability> = []
    func data(for variant: PhotoVariant) async throws -> Data { given() }
}
static let photo: PhotoRecord = given()
static let places: [PlaceRecord] = []
static let request: ImageRequest = given()
static let requests: [ImageRequest] = []
static let identifier = ""
static let loader: ImageLoader = given()
static let storage: any ThumbnailStorage = given()
static let key = ""
static let base: any HTTPTransport = given()
static var footer = ""
