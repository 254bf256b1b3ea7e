import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Texts that come again while a document is read.
@Suite struct TextPoolTests {
    /// Texts of every length around those that a pool has, of which some come again and again.
    private static func text(_ random: inout SplitMix64, of count: UInt64) -> String {
        let number = random.next() % count
        return switch number % 4 {
        case 0: String(repeating: "x", count: Int(number % 300))
        case 1: "één van \(count) teksten, nummer \(number)"
        case 2: "e\u{301}e\u{301}n van \(count) teksten, nummer \(number)"
        default: "one of \(count) texts, number \(number)"
        }
    }

    @Test(arguments: [(1, 30), (2, 700), (3, 20_000), (4, 1_000_000)])
    func `each text is the one that was asked for, to the byte`(seed: UInt64, count: UInt64) {
        var random = SplitMix64(seed: seed)
        var pool = TextPool()
        for _ in 0..<30_000 {
            let text = Self.text(&random, of: count)
            guard let found = pool.text(of: text) else { continue }
            guard found.utf8.elementsEqual(text.utf8) else {
                Issue.record("seed \(seed): \(found) came for \(text)")
                return
            }
        }
    }

    @Test func `a text that came again is the same string from then on`() throws {
        try #require(StringBits.isKnown)
        var pool = TextPool()
        let texts = (0..<4).map { _ in pool.text(of: "a text that does not fit into a string") }
        let bits = texts.map { $0.map { StringBits($0) } }
        #expect(bits[1] != nil && bits[1] == bits[2] && bits[2] == bits[3])
        // The first time nothing says that it will come again.
        #expect(bits[0] == nil)
    }

    @Test func `a text that comes again stays though others that do not have its place`() {
        var pool = TextPool()
        func ask() -> StringBits? {
            pool.text(of: "a text that does not fit into a string").map { StringBits($0) }
        }
        _ = ask()
        let kept = ask()
        for number in 0..<5_000 {
            _ = pool.text(of: "a text with the number \(number)")
            #expect(ask() == kept)
        }
    }

    @Test func `pools are had by one reader at a time`() {
        let pools = TextPools()
        var first = pools.take(2)
        let text = "a text that does not fit into a string"
        let kept = (0..<2).map { _ in first[0].text(of: text) }[1]
        pools.giveBack(first)
        var again = pools.take(2)
        let other = again[0].text(of: text)
        #expect(other.map { StringBits($0) } == kept.map { StringBits($0) })
        // The pools are taken: whoever comes now gets new ones.
        var others = pools.take(2)
        #expect(others.count == 2)
        #expect(others[0].text(of: text) == nil)
    }

    @Test func `a pool grows with the texts that come again, and closes where none do`() {
        var random = SplitMix64(seed: 5)
        var pool = TextPool()
        var shared = 0
        var last: [UInt64: String] = [:]
        for _ in 0..<200_000 {
            let number = random.next() % 9_000
            guard let text = pool.text(of: "a text with the number \(number)") else { continue }
            if let former = last[number], StringBits(former) == StringBits(text) { shared += 1 }
            last[number] = text
        }
        // Of 9,000 texts in 16,384 places two of three come as they came before; in 4,096 one of four would.
        #expect(shared > 110_000)
        var closed = TextPool()
        for number in 0..<10_000 { _ = closed.text(of: "a text with the number \(number)") }
        let texts = (0..<3).map { _ in closed.text(of: "a text that comes twice") }
        #expect(texts == [nil, nil, nil])
    }

    final class Note: ManagedObject {
        @Attribute var kind = ""
    }

    @Test(arguments: [
        ManagedDocument.Format.json, .binaryPropertyList, .xmlPropertyList,
    ])
    func `texts of a document that come again are one string`(
        format: ManagedDocument.Format
    ) async throws {
        try await withTemporaryDirectory { url in
            let made = try await ManagedDocument.open(
                at: url, model: [Note.self], options: .init { $0.format = format })
            let writer = ManagedObjectContext(made.store)
            for _ in 0..<20 { Note(context: writer).kind = "a kind of which there are some" }
            try writer.save()
            try await made.compact()
            try await made.close()
            let document = try await ManagedDocument.open(at: url, model: [Note.self])
            let context = ManagedObjectContext(document.store)
            let kinds = try context.fetch(FetchRequest<Note>()).map(\.kind)
            let bits = kinds.map { StringBits($0) }
            #expect(kinds.count == 20)
            // It came once before anything was known of it.
            #expect(bits.dropFirst(2).allSatisfy { $0 == bits[1] })
            try await document.close()
        }
    }
}

extension TextPool {
    /// The string of a text that came before.
    fileprivate mutating func text(of text: String) -> String? {
        Array(text.utf8).withUnsafeBytes { self.text($0) }
    }
}
