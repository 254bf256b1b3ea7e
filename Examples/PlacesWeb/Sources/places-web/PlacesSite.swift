import ExampleSupport
import Foundation
import HTTPTypes
import Hummingbird
import PlacesKit
import WebSupport

/// The four systems in one place.
@MainActor
final class PlacesSite: WebSite {
    /// How many browsers can take back what they did; those that did nothing for longest forget it first.
    private static let deskLimit = 200

    /// What a stream follows.
    private final class Following {
        let stream: EventStream
        var feeds: [any Feed] = []
        /// The feeds of systems that are not open yet, with the last position that the browser knows.
        var awaited: [(name: String, position: String?)] = []

        init(_ stream: EventStream) { self.stream = stream }
    }

    private let openings: [Opening]
    private let catalogue = FeedCatalogue()
    private var desks: [String: Desk] = [:]
    private var deskOrder: [String] = []
    private var followings: [ObjectIdentifier: Following] = [:]

    init(_ types: [any PhotoSystem.Type]) { openings = types.map(Opening.init) }

    // MARK: - Opening

    /// Opens the systems, one after the other, while pages are served already.
    func open(
        _ library: @MainActor (any PhotoSystem.Type, Progress) async throws -> PlacesLibrary
    ) async throws {
        for opening in openings {
            try await opening.open { try await library(opening.type, $0) }
            // Who came back before it was open asks for what happened since.
            for following in followings.values {
                let awaited = following.awaited
                following.awaited = []
                for (name, position) in awaited { try join(name, since: position, following) }
            }
        }
    }

    /// Closes what is open, and then throws what kept the first from being closed that could not be.
    func close() async throws {
        var failure: (any Error)?
        for opening in openings {
            do {
                try await opening.system?.library.close()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    // MARK: - Asking

    func get(_ request: WebRequest) async throws -> Response {
        if request.path.first == "assets" { return try Asset.response(request) }
        if request.path.first == "pictures" { return try await picture(request) }
        let (page, status) = try page(at: request.path)
        var response =
            request.wantsData ? Response.json(page) : .text(PageShell.html(page), "text/html")
        response.status = status
        response.headers[.vary] = "Accept"
        return response
    }

    private func opening(_ path: [String]) -> Opening? {
        openings.first { $0.type.name == path.first }
    }

    /// The system of an address; `nil` where there is none.
    ///
    /// - Throws: That it is not open yet.
    private func system(_ path: [String]) throws(HTTPError) -> (any PhotoSystem)? {
        guard let opening = opening(path) else { return nil }
        guard let system = opening.system else {
            throw HTTPError(.serviceUnavailable, message: "It is being opened. Try again.")
        }
        return system
    }

    private func page(at path: [String]) throws -> (Page, HTTPResponse.Status) {
        let path = path.isEmpty ? [openings[0].type.name] : path
        var page = Page(
            tabs: openings.map { Tab(title: $0.type.title, path: "/\($0.type.name)") },
            current: "/\(path[0])")
        guard let opening = opening(path) else { return (page, .notFound) }
        guard let system = opening.system else {
            page.panes = [opening.pane]
            return (page, .ok)
        }
        let inner = Array(path.dropFirst())
        for count in 0...inner.count {
            let prefix = Array(inner.prefix(count))
            guard var pane = try system.pane(at: prefix) else {
                if count == inner.count {
                    page.panes = []
                    return (page, .notFound)
                }
                continue
            }
            pane.path = system.address(prefix)
            // A list of the first rank stands behind no other.
            if !pane.scopes.isEmpty { page.panes = [] }
            page.panes.append(pane)
        }
        page.isReadOnly = system.library.isReadOnly
        return (page, .ok)
    }

    private func picture(_ request: WebRequest) async throws -> Response {
        guard request.path.count == 4, let system = try system([request.path[1]]),
            let photo = system.object(Photo.self, request.path[2])
        else { throw HTTPError(.notFound, message: "There is no such picture.") }
        let data: Data
        do {
            data =
                request.path[3] == "small"
                ? try await system.library.thumbnail(of: photo)
                : try await system.library.picture(of: photo)
        } catch {
            throw HTTPError(.badGateway, message: Failure.message(of: error))
        }
        guard let type = PictureType.ofPicture(beginning: data) else {
            throw HTTPError(.unsupportedMediaType, message: "What the source sent is no picture.")
        }
        var response = Response.data(data, type)
        response.headers[.cacheControl] = "private, max-age=86400, immutable"
        return response
    }

    // MARK: - Doing

    func post(_ request: WebRequest, _ body: Data) async throws -> Response {
        let desk = desk(of: request.browser)
        do {
            if request.path == ["undo"] {
                try await desk.undo()
            } else if request.path == ["redo"] {
                try await desk.redo()
            } else {
                guard let system = try system(request.path) else { throw HTTPError(.notFound) }
                guard let action = try? JSONDecoder().decode(Action.self, from: body) else {
                    throw HTTPError(.badRequest, message: "The action is not well-formed.")
                }
                let path = Array(request.path.dropFirst())
                let view = desk.view(of: system)
                let former = view.context.undoActionName
                let next: [String]?
                do {
                    next = try await system.perform(action, at: path, on: view)
                } catch {
                    // It may be done all the same, as a star is set whose picture cannot be fetched.
                    if action.isStep, view.context.undoActionName != former { desk.did(in: system) }
                    throw error
                }
                if let feed = catalogue.feed(system.address(path)) { system.load(path, for: feed) }
                if action.isStep { desk.did(in: system) }
                return .json(ActionAnswer(path: next.map(system.address)))
            }
            return .done
        } catch let error as HTTPError {
            throw error
        } catch {
            var response = Response.json(ActionAnswer(failure: Failure.message(of: error)))
            response.status = .conflict
            return response
        }
    }

    private func desk(of browser: String) -> Desk {
        deskOrder.removeAll { $0 == browser }
        deskOrder.append(browser)
        while deskOrder.count > Self.deskLimit { desks[deskOrder.removeFirst()] = nil }
        let desk = desks[browser] ?? Desk()
        desks[browser] = desk
        return desk
    }

    // MARK: - Following

    func follow(_ request: WebRequest, _ stream: EventStream) async throws {
        let following = Following(stream)
        followings[ObjectIdentifier(stream)] = following
        let desk = desk(of: request.browser)
        desk.join(stream, since: nil)
        following.feeds.append(desk)
        // A page shows few lists; who asks for many shows none.
        for wanted in request.values(of: "feed").prefix(8) {
            // A name, and behind a space the last position that the browser knows.
            let parts = wanted.split(separator: " ", maxSplits: 1).map(String.init)
            guard let name = parts.first else { continue }
            try join(name, since: parts.count > 1 ? parts[1] : nil, following)
        }
    }

    private func join(_ name: String, since position: String?, _ following: Following) throws {
        if let opening = opening(Self.path(of: name)), opening.system == nil {
            following.awaited.append((name, position))
        } else if let feed = try feed(name) {
            feed.join(following.stream, since: position)
            following.feeds.append(feed)
        }
    }

    func unfollow(_ stream: EventStream) async {
        for feed in followings.removeValue(forKey: ObjectIdentifier(stream))?.feeds ?? [] {
            feed.leave(stream)
            catalogue.left(feed)
        }
    }

    private static func path(of name: String) -> [String] {
        let path = name.split(separator: "?", maxSplits: 1).first ?? ""
        return path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
    }

    /// The feed of a name: the address of a pane, and behind a question mark what is searched for there.
    private func feed(_ name: String) throws -> (any Feed)? {
        if let opening = openings.first(where: { $0.name == name }) { return opening }
        let parts = name.split(separator: "?", maxSplits: 1)
        let path = Self.path(of: name)
        let text = parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : ""
        guard let system = try system(path), text.utf8.count <= 200,
            let feed = try catalogue.feed(name)
                ?? system.feed(name, at: Array(path.dropFirst()), searching: text)
        else { return nil }
        catalogue.add(feed)
        // Also for who comes back: what failed, or was loaded long ago, is loaded again.
        if text.isEmpty, !system.library.isReadOnly {
            system.load(Array(path.dropFirst()), for: feed)
        }
        return feed
    }
}
