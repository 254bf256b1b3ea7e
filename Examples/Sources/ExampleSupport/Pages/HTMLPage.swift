/// A page of HTML that is whole in itself: it loads nothing, and runs nothing.
public enum HTMLPage {
    /// The page of a title, of a note below it, both as text, and of a body of HTML.
    public static func text(title: String, note: String, body: String) -> String {
        let title = title.forTerminal.escapedForHTML
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            <p>\(note.forTerminal.escapedForHTML)</p>
            </header>
            <main>
            \(body)
            </main>
            </body>
            </html>

            """
    }

    private static let style = """
        :root {
            color-scheme: light dark;
            --ground: light-dark(#fff, #16181c);
            --raised: light-dark(#f4f5f7, #1f2228);
            --ink: light-dark(#1a1c20, #eceef2);
            --faint: light-dark(#5b6270, #a3abb8);
            --line: light-dark(#d9dce2, #343942);
            --accent: light-dark(#0b57d0, #8ab4f8);
            --mark: light-dark(#b3261e, #ff8a80);
            --new: light-dark(#e4f4e6, #1c3022);
            --old: light-dark(#fbe9e7, #3a2322);
        }
        * { box-sizing: border-box; }
        body { max-width: 70rem; margin: 0 auto; padding: 1rem; font: 16px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
        h1 { margin: 0; font-size: 1.6rem; }
        h2 { margin: 1.5rem 0 .5rem; font-size: 1.1rem; border-bottom: 1px solid var(--line); }
        header p, .detail, figcaption { margin: 0; color: var(--faint); font-size: .875rem; }
        a { color: var(--accent); }
        .map { display: block; width: 100%; max-height: 60vh; margin: 1rem 0; border-radius: 8px; background: light-dark(#dbe9f4, #1c2733); }
        .sea { fill: light-dark(#dbe9f4, #1c2733); }
        .land { fill: light-dark(#c5cfae, #3d4a3a); }
        .lines { fill: none; stroke: var(--faint); opacity: .3; }
        .mark { fill: var(--mark); stroke: var(--ground); }
        ol { list-style: none; margin: 0; padding: 0; }
        li { break-inside: avoid; scroll-margin-top: 1rem; }
        li:target { outline: 3px solid var(--accent); outline-offset: 2px; }
        .rows .text { display: grid; grid-template-columns: 3ch 1fr; column-gap: .75rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
        .rows .number { text-align: right; }
        .rows .detail { grid-column: 2; }
        .number { color: var(--faint); font-variant-numeric: tabular-nums; }
        .pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.5rem, 1fr)); gap: .75rem; }
        .pictures li { background: var(--raised); border-radius: 8px; overflow: hidden; }
        .pictures img, .pictures .none { display: block; width: 100%; aspect-ratio: 1; object-fit: cover; }
        .pictures .none { background: var(--line); }
        .pictures .text { padding: .4rem .6rem .6rem; line-height: 1.3; }
        table { width: 100%; border-collapse: collapse; font-size: .9rem; }
        th, td { padding: .3rem .5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
        th { font-weight: 600; }
        td img { display: block; max-width: min(100%, 12rem); max-height: 12rem; }
        .object { margin: .75rem 0; break-inside: avoid; }
        .object h4, summary { margin: 0; font-size: 1rem; font-weight: 600; }
        h3 { margin: 1rem 0 .25rem; font-size: 1rem; color: var(--faint); }
        .old { background: var(--old); }
        .new { background: var(--new); }
        @media (max-width: 30rem) {
            body { padding: .75rem; }
            .pictures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .5rem; }
        }
        @media print {
            :root { color-scheme: light; }
            body { max-width: none; padding: 0; font-size: 11px; }
            .pictures { grid-template-columns: repeat(5, minmax(0, 1fr)); }
            details::details-content { content-visibility: visible; block-size: auto; }
        }
        """
}
