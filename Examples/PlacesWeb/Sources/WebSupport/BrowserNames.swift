import Foundation
import HTTPTypes
import Hummingbird

/// Gives each browser a name that no other has, in a cookie, so that it gets back what it did itself.
struct BrowserNames<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.browser.isEmpty else { return try await next(request, context) }
        let name = UUID().uuidString
        var response = try await next(request.named(name), context)
        response.headers[.setCookie] = "browser=\(name); HttpOnly; SameSite=Strict; Path=/"
        return response
    }
}

extension Request {
    /// The name that the browser was given; empty before that.
    var browser: String {
        let name = cookies["browser"]?.value ?? ""
        return UUID(uuidString: name) == nil ? "" : name
    }

    fileprivate func named(_ name: String) -> Request {
        var head = head
        head.headerFields[.cookie] = "browser=\(name)"
        return Request(head: head, body: body)
    }
}
