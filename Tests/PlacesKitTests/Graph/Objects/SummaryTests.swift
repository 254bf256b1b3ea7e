import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What `print(object)` and a debugger show.
@Suite struct SummaryTests {
    final class Sheet: ManagedObject {
        @Attribute var title = ""
        @Attribute var pages: Int?
        @Attribute(.externalStorage) var scan: Data?
        @Relationship(inverse: \Folder.sheets) var folder: Folder?
    }

    final class Folder: ManagedObject {
        /// An attribute of this name is no obstacle, and no description.
        @Attribute var description = "of the attribute"
        @Relationship var sheets: ObjectSet<Sheet>
    }

    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Sheet.self, Folder.self]))
    }

    @Test func `an object shows its identity and what it holds`() throws {
        let (sheet, folder) = (Sheet(context: context), Folder(context: context))
        sheet.title = "Dusk \"over\"\nthe Seine"
        let title = #"title: "Dusk \"over\"\nthe Seine""#
        #expect("\(sheet)" == "Sheet/0 (\(title), pages: nil, scan: nil, folder: nil)")
        sheet.pages = 3
        sheet.folder = folder
        sheet.scan = Data(count: 500_000)
        #expect(
            String(reflecting: sheet)
                == "Sheet/0 (\(title), pages: 3, scan: 500000 bytes, folder: Folder/0)")
        let any: Any = folder
        #expect("\(any)" == #"Folder/0 (description: "of the attribute", sheets: 1 object)"#)
        #expect(folder.description == "of the attribute")
    }

    @Test func `long texts are cut and members counted`() throws {
        let folder = Folder(context: context)
        folder.description = String(repeating: "🇫🇷", count: 100_000)
        for _ in 0..<1_000 { Sheet(context: context).folder = folder }
        #expect("\(folder)".count < 200)
        #expect("\(folder)".hasSuffix("🇫🇷…\", sheets: 1000 objects)"))
    }

    @Test func `an object that is deleted, or never was, says so`() throws {
        let sheet = Sheet(context: context)
        sheet.title = "Gone"
        try context.save()
        context.delete(sheet)
        #expect("\(sheet)".hasPrefix(#"Sheet/0, which is deleted, (title: "Gone""#))
        try context.save()
        #expect("\(sheet)".hasPrefix(#"Sheet/0, which is deleted, (title: "Gone""#))
        let dropped = Sheet(context: context)
        context.rollback()
        #expect("\(dropped)".contains("Sheet/1"))
    }

    @Test func `what is shown of external storage is not read`() async throws {
        try await withTemporaryDirectory { url in
            let types = [Sheet.self, Folder.self]
            let document = try await ManagedDocument.open(at: url, model: types)
            Sheet(context: document.viewContext).scan = Data(count: 200_000)
            try await document.close()
            var options = ManagedDocument.Options()
            options.isReadOnly = true
            options.onUnreadableData = { Issue.record("\($0)") }
            let again = try await ManagedDocument.open(at: url, model: types, options: options)
            try FileManager.default.removeItem(at: url.appending(path: "blobs"))
            let sheet = try #require(try again.viewContext.fetch(Sheet.self).first)
            #expect("\(sheet)".contains("scan: 200000 bytes"))
        }
    }
}
