import ExampleSupport
import Foundation
import WebSupport

/// The HTML that every page begins as; the script makes the rest of what the page is.
enum PageShell {
    static func html(_ overview: Overview) -> String {
        let data = String(decoding: EventFrame.json(overview), as: UTF8.self)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\(overview.name.escapedForHTML)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="/assets/icon.svg">
            <link rel="stylesheet" href="/assets/page.css">
            <link rel="stylesheet" href="/assets/document.css">
            <script type="module" src="/assets/document.js"></script>
            </head>
            <body data-overview="\(data.escapedForHTML)">
            <noscript><p>The document is shown by a script. Allow it, and load the page again.</p></noscript>
            </body>
            </html>
            """
    }
}
