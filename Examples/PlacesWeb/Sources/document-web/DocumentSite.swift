import ExampleSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PlacesKit
import Synchronization
import WebSupport

/// The pages of a document; nothing in them changes it.
final class DocumentSite: WebSite {
    private static let assets = Asset.named([
        "document.js": PackageResources.document_js, "support.js": PackageResources.support_js,
        "table.js": PackageResources.table_js, "completion.js": PackageResources.completion_js,
        "map.js": PackageResources.map_js, "record.js": PackageResources.record_js,
        "history.js": PackageResources.history_js, "schema.js": PackageResources.schema_js,
        "document.css": PackageResources.document_css,
    ])

    private let document: LiveDocument
    private let desk: QueryDesk
    private let found = FoundRecords()
    private let differences: CommitDifferences
    /// The page that each stream is of.
    private let pages = Mutex<[ObjectIdentifier: String]>([:])

    init(_ document: LiveDocument, timeLimit: Duration) {
        self.document = document
        desk = QueryDesk(limit: timeLimit)
        differences = CommitDifferences(document.url, desk)
    }

    // MARK: - Asking

    func get(_ request: WebRequest) async throws -> Response {
        switch request.path.first {
        case "assets": return try Asset.response(request, Self.assets)
        case "data": return try await answering { try await data(request) }
        case "bytes": return try await answering { try await bytes(request) }
        case "export": return try await answering { try await export(request) }
        default:
            let overview = Overview(await document.edition)
            var response = Response.text(PageShell.html(overview), "text/html")
            if !isPage(request.path, overview) { response.status = .notFound }
            return response
        }
    }

    /// Whether the script shows something at an address.
    private func isPage(_ path: [String], _ overview: Overview) -> Bool {
        let isEntity = path.count > 1 && overview.entities.contains { $0.name == path[1] }
        return switch path.first {
        case nil: true
        case "schema": path.count == 1
        case "history": path.count == 1 || path.count == 2 && Int(path[1]) != nil
        case "entities": path.count == 2 && isEntity
        case "records": path.count == 3 && isEntity && Int64(path[2]) != nil
        default: false
        }
    }

    private struct Complaint: Encodable {
        var failure: String
        var column: Int?
    }

    /// Answers with words where there is no other answer.
    private func answering(_ body: () async throws -> Response) async throws -> Response {
        let complaint: Complaint
        do {
            return try await body()
        } catch let error as HTTPError {
            throw error
        } catch let mistake as QueryMistake {
            complaint = Complaint(failure: mistake.text, column: mistake.column)
        } catch {
            complaint = Complaint(failure: Failure.message(of: error))
        }
        var response = Response.json(complaint)
        response.status = .unprocessableContent
        return response
    }

    private func data(_ request: WebRequest) async throws -> Response {
        let edition = await document.edition
        let (path, found) = (request.path.dropFirst(), self.found)
        switch (path.first, path.count) {
        case ("overview", 1): return .json(try await run(request) { Overview(edition) })
        case ("rows", 1):
            let query = try TableQuery(request)
            return .json(
                try await run(request) { try Table(query, request, in: edition, found) })
        case ("places", 1):
            let query = try TableQuery(request)
            return .json(try await run(request) { try PlaceMarks(query, in: edition, found) })
        case ("explain", 1):
            let query = try TableQuery(request)
            return .json(
                try await run(request) {
                    Explanation(query, try query.explanation(in: edition.reader))
                })
        case ("record", 3):
            guard let id = ObjectID(path.dropFirst().joined(separator: "/")),
                let page = try await run(request, { try RecordPage(id, in: edition) })
            else { throw HTTPError(.notFound, message: "There is no such record.") }
            return .json(page)
        case ("history", 1): return .json(try await CommitList(edition))
        case ("history", 2):
            guard let number = path.last.flatMap(Int.init) else { throw HTTPError(.notFound) }
            return .json(try await differences.difference(number, in: edition))
        default: throw HTTPError(.notFound)
        }
    }

    /// The value of an attribute: a picture as what it is, anything else as a file to be kept.
    private func bytes(_ request: WebRequest) async throws -> Response {
        let path = request.path
        let reader = await document.edition.reader
        guard path.count == 4, let id = ObjectID("\(path[1])/\(path[2])") else {
            throw HTTPError(.notFound)
        }
        let value = try await run(request) { try reader.record(id)?[path[3]] }
        guard case .attribute(let datum)? = value else { throw HTTPError(.notFound) }
        switch datum {
        case .data(let data):
            guard let type = PictureType.ofPicture(beginning: data) else {
                return .file(data, "application/octet-stream", named: "\(path[3])-\(path[2])")
            }
            var response = Response.data(data, type)
            response.headers[.cacheControl] = "private, max-age=86400, immutable"
            return response
        case .string(let text):
            return .file(
                Data(text.utf8), "text/plain; charset=utf-8", named: "\(path[3])-\(path[2]).txt")
        default: throw HTTPError(.notFound)
        }
    }

    private func export(_ request: WebRequest) async throws -> Response {
        guard request.path.count == 2, let format = Export.Format(rawValue: request.path[1]) else {
            throw HTTPError(.notFound)
        }
        let (edition, query, found) = (
            await document.edition, try TableQuery(request), self.found
        )
        let records = try await run(request) { try found.records(query, in: edition) }
        let export = Export(records, of: query.entity, as: format, in: edition.reader)
        let desk = desk
        var response = Response(
            status: .ok, headers: [.contentType: format.type],
            body: ResponseBody { writer in
                // The next part is made when the browser has taken the one before.
                let key = "export \(UUID())"
                for start in export.starts {
                    let part = try await desk.run(key) { try export.part(from: start) }
                    try await writer.write(ByteBuffer(bytes: part))
                }
                try await writer.finish(nil)
            })
        response.keep(as: "\(query.entity).\(format.rawValue)")
        return response
    }

    /// Runs what a page asks for in place of what it has asked for before, for the same purpose.
    private func run<Value: Sendable>(
        _ request: WebRequest, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let purpose = request.path.prefix(2).joined(separator: "/")
        // Pictures are asked for side by side.
        let key = request["page"] == nil ? "\(UUID())" : page(request)
        return try await desk.run("\(key) \(purpose)", work)
    }

    private func page(_ request: WebRequest) -> String {
        "\(request.browser)/\(request["page"]?.prefix(40) ?? "")"
    }

    // MARK: - Following

    func post(_ request: WebRequest, _ body: Data) async throws -> Response {
        throw HTTPError(.methodNotAllowed, message: "Nothing can be changed here.")
    }

    func follow(_ request: WebRequest, _ stream: EventStream) async throws {
        pages.withLock { $0[ObjectIdentifier(stream)] = page(request) }
        await document.join(stream)
    }

    func unfollow(_ stream: EventStream) async {
        await document.leave(stream)
        // A page that has come back by another stream is still there.
        let page: String? = pages.withLock { pages in
            let page = pages.removeValue(forKey: ObjectIdentifier(stream))
            return pages.values.contains { $0 == page } ? nil : page
        }
        if let page { desk.forget(page) }
    }
}

extension Response {
    /// A file that a browser keeps and does not show.
    fileprivate static func file(_ data: Data, _ type: String, named name: String) -> Response {
        var response = Response.data(data, type)
        response.keep(as: name)
        return response
    }

    /// Lets a browser keep the answer as a file, and not show it.
    fileprivate mutating func keep(as name: String) {
        let plain = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        headers[.contentDisposition] = "attachment; filename=\"\(plain)\""
    }
}
