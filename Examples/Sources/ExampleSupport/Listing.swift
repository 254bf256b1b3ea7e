public import ArgumentParser
import Foundation
public import PlacesKit

/// The options of commands that list something: for a person in a terminal, for programs, or as a page to keep.
public struct ListingOptions: ParsableArguments {
    @Flag(help: "Write JSON.") var json = false
    @Option(
        help: ArgumentHelp(
            "Write a page to keep, with pictures and a map in it; - for standard output.",
            valueName: "file"))
    var html: String?

    /// Made by the argument parser.
    public init() {}

    /// Refuses to write two things.
    public func validate() throws {
        guard !json || html == nil else {
            throw ValidationError("Choose one of --json and --html.")
        }
    }
}

@MainActor extension PlacesLibrary {
    /// Writes those of a live list that have a text, as a command was told to.
    public func show<Object: ManagedObject>(
        _ list: ListController<Object>, titled title: String, search: String,
        _ options: ListingOptions, isMapped: Bool = false, as output: (Object) -> some Encodable
    ) async throws {
        let all = zip(list.objects, rows(of: list)).enumerated()
            .map { (offset: $0.offset, element: $0.element) }
        let empty = list.message ?? ""
        try list.search(search)
        let found = Set(list.objects.map(\.objectID))
        try await show(
            all.filter { found.contains($0.element.0.objectID) }, titled: title, search: search,
            options, empty: empty, isMapped: isMapped, as: { output($0.0) }, row: { $0.1 })
    }

    /// Writes those of a list that were found, with their numbers in the whole list, as other commands take them.
    public func show<Element>(
        _ found: [(offset: Int, element: Element)], titled title: String, search: String,
        _ options: ListingOptions, empty: String = "Nothing here.", isMapped: Bool = false,
        as output: (Element) -> some Encodable, row: (Element) -> Row
    ) async throws {
        guard !options.json else { return try JSONOutput.write(found.map { output($0.element) }) }
        let rows = found.map { offset, element in
            var row = row(element)
            row.number = offset + 1
            return row
        }
        let empty = search.isEmpty ? empty : "Nothing found."
        guard let file = options.html else {
            return await ExampleSupport.show(rows, empty: empty, isMapped: isMapped)
        }
        let page = try await Spinner.run("Loading pictures") {
            await ListPage(
                title: search.isEmpty ? title : "\(title) with “\(search)”", source: source.name,
                rows: rows, empty: empty
            ).html()
        }
        try OutputFile.write(Data(page.utf8), to: file)
    }
}

/// Writes rows in their sections, numbered through, for a person; on a map too where they are to be.
@MainActor
public func show(_ rows: [Row], empty: String = "Nothing here.", isMapped: Bool = false) async {
    guard !rows.isEmpty else { return print(empty.fitting(Terminal.columns)) }
    if isMapped { for line in MapPicture.lines(of: rows) { print(line) } }
    let listing = RowListing(rows)
    var start = 0
    while start < rows.count {
        let (lines, count) = await listing.page(from: start, fitting: nil)
        // What begins a section stands apart from what a page before it showed.
        if start > 0, rows[start].section != rows[start - 1].section { print("") }
        for line in lines { print(line) }
        start += count
    }
}
