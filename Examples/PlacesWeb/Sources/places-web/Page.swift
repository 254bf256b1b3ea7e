import ExampleSupport
import Foundation
import WebSupport

/// What a browser shows at an address: the panes that lead there, of which it shows one or two.
struct Page: Encodable {
    var tabs: [Tab]
    /// The address of the tab that is chosen.
    var current: String
    var panes: [Pane] = []
    /// Whether another program is changing the document, so that nothing can be changed here.
    var isReadOnly = false
}

/// The HTML that every page begins as; the script makes the rest of what the page is.
enum PageShell {
    static func html(_ page: Page) -> String {
        let title = page.panes.last?.title ?? "Not found"
        let data = String(decoding: EventFrame.json(page), as: UTF8.self)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\(title.escapedForHTML)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="/assets/icon.svg">
            <link rel="stylesheet" href="/assets/page.css">
            <script type="module" src="/assets/page.js"></script>
            </head>
            <body data-page="\(data.escapedForHTML)">
            <noscript><p>These lists keep themselves current by a script. Allow it, and load the page again.</p></noscript>
            </body>
            </html>
            """
    }
}
