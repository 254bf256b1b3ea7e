import Foundation
import PlacesKit
import Testing

@Suite struct FilePathTests {
    @Test(arguments: [
        ("/a/b", "/a", "b"), ("/a/b/", "/a", "b"), ("/a", "/", "a"), ("a/b", "a", "b"),
        ("a", ".", "a"), ("/", "/", "/"), ("/a b/ö.json", "/a b", "ö.json"),
        // An accent that comes first is one character with the slash before it.
        ("/a/\u{301}b", "/a", "\u{301}b"), ("/a/\u{301}b/", "/a", "\u{301}b"),
        ("/\u{301}b", "/", "\u{301}b"), ("/a/\u{600}/", "/a", "\u{600}"),
    ])
    func `a path has a parent and a name`(path: String, parent: String, name: String) {
        #expect(FilePath(path).parent == FilePath(parent))
        #expect(FilePath(path).name == name)
    }

    @Test func `a name is appended with one slash`() {
        #expect(FilePath("/a").appending("b") == FilePath("/a/b"))
        #expect(FilePath("/a/").appending("b") == FilePath("/a/b"))
        #expect(FilePath("/").appending("b") == FilePath("/b"))
    }

    @Test func `a URL gives its path with nothing encoded`() {
        #expect(FilePath(URL(filePath: "/a b/ö%.json")) == FilePath("/a b/ö%.json"))
    }
}
