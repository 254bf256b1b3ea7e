import Foundation
import PlacesKit
import Testing

/// Text that contains or begins with other text.
@Suite struct TextQueryTests {
    static let needles =
        SpecimenWorld.texts + ["l", "afe", "e\u{301}", "\n", "\r", "a\r", "pl", "lain", "rather"]

    #if canImport(Darwin)
        /// Foundation has them itself there, in expressions of its own.
        private static let supplied = Compilation.fallback
    #else
        private static let supplied = Compilation.compiled
    #endif

    @Test func `text contains text`() throws {
        try check(.compiled) {
            for needle in Self.needles {
                #Predicate<Specimen> { $0.text.contains(needle) }
                #Predicate<Specimen> { $0.maybeText?.contains(needle) ?? false }
            }
        }
    }

    @Test func `text starts with text`() throws {
        try check(.compiled) {
            for needle in Self.needles {
                #Predicate<Specimen> { $0.text.starts(with: needle) }
                #Predicate<Specimen> { $0.maybeText?.starts(with: needle) == true }
            }
        }
    }

    @Test func `text that has room to grow is the same as any`() throws {
        let context = try SpecimenWorld(seed: 3).context
        for plain in Self.needles + ["fifteen letters", "sixteen letters."] {
            var grown = ""
            grown.reserveCapacity(100)
            grown += plain
            for object in try context.fetch(Specimen.self).prefix(2) { object.text = plain }
            // Before they are saved no digests of the texts are known.
            let count = try context.count(
                FetchRequest<Specimen>(predicate: #Predicate { $0.text == plain }))
            let found = try context.count(
                FetchRequest<Specimen>(predicate: #Predicate { $0.text == grown }))
            let others = try context.count(
                FetchRequest<Specimen>(predicate: #Predicate { $0.text != grown }))
            #expect(found == count && found >= 2, "\(plain)")
            #expect(others == (try context.count(Specimen.self)) - count, "\(plain)")
        }
    }

    @Test func `text is reached, replaced and negated`() throws {
        let needle = "lai"
        try check(.compiled) {
            #Predicate<Specimen> { !$0.text.contains(needle) }
            #Predicate<Specimen> { ($0.maybeText ?? "").contains(needle) }
            #Predicate<Specimen> { ($0.maybeText ?? "plain").contains(needle) }
            #Predicate<Specimen> { !($0.maybeText ?? "plain").starts(with: "p") }
            #Predicate<Specimen> { ($0.shelf.flatMap { $0.name } ?? "plain").starts(with: "p") }
            #Predicate<Specimen> { $0.shelf?.name.contains(needle) ?? true }
            #Predicate<Specimen> { $0.shelf?.room?.name.contains("a") ?? false }
            #Predicate<Specimen> { $0.shelf?.name.starts(with: "p") != true }
            #Predicate<Specimen> { $0.text.isEmpty }
            #Predicate<Specimen> { !$0.text.isEmpty }
            #Predicate<Specimen> { ($0.maybeText ?? "").isEmpty }
            #Predicate<Specimen> { $0.shelf?.name.isEmpty ?? true }
        }
        try check(.compiled) {
            #Predicate<Specimen> { $0.text.contains($0.code) }
            #Predicate<Specimen> { $0.text.contains($0.shelf.flatMap { $0.name } ?? "l") }
            #Predicate<Specimen> { "plain".contains($0.text) }
            #Predicate<Specimen> { "plain text".starts(with: $0.maybeText ?? "") }
        }
        let pattern = #/l+/#
        try check(.fallback) {
            #Predicate<Specimen> { $0.text.count > 4 }
            #Predicate<Specimen> { $0.text.contains(pattern) }
        }
    }

    @Test func `case and accents are looked through on every platform`() throws {
        let same = ComparisonResult.orderedSame
        let descending = ComparisonResult.orderedDescending
        try check(Self.supplied) {
            for needle in Self.needles {
                #Predicate<Specimen> { $0.text.localizedStandardContains(needle) }
                #Predicate<Specimen> { $0.maybeText?.localizedStandardContains(needle) ?? false }
                #Predicate<Specimen> { $0.text.caseInsensitiveCompare(needle) == same }
                #Predicate<Specimen> { $0.text.caseInsensitiveCompare(needle) == descending }
            }
            #Predicate<Specimen> { $0.text.localizedStandardContains($0.maybeText ?? "") }
            #Predicate<Specimen> { $0.text.caseInsensitiveCompare($0.maybeText ?? "") == same }
        }
        try check(.fallback) {
            #Predicate<Specimen> { $0.text.localizedCompare("plain") == descending }
        }
        let shown = #Predicate<Specimen> {
            $0.text.localizedStandardContains("a") && $0.text.caseInsensitiveCompare("b") == same
        }
        #expect(!"\(shown)".isEmpty)
    }

    @Test func `a search in text that is not there has no result, whatever is looked for`() throws {
        let context = try SpecimenWorld(seed: 1).context
        for needle in ["", "l"] {
            try context.check(
                #Predicate<Specimen> { !$0.maybeText!.localizedStandardContains(needle) },
                Self.supplied
            ) {
                guard let text = $0.maybeText else { return false }
                return needle.isEmpty || !text.lowercased().contains(needle)
            }
            try context.check(
                #Predicate<Specimen> {
                    $0.maybeText!.localizedStandardContains(needle) || $0.flag
                }, Self.supplied
            ) {
                guard let text = $0.maybeText else { return false }
                return $0.flag || !needle.isEmpty && text.lowercased().contains(needle)
            }
        }
    }

    @Test func `text has one order, compiled or not`() throws {
        // The standard library has "éx" before "é" if the latter has a combining accent.
        let texts = ["e\u{301}", "\u{e9}x", "\u{e9}", "\u{212b}", "z", "\u{301}", ""]
        let world = try SpecimenWorld(seed: 5, saved: 30)
        for (number, specimen) in try world.specimens.enumerated() {
            specimen.text = texts[number % texts.count]
            specimen.maybeText = texts[number / texts.count % texts.count]
        }
        for text in texts {
            try compare(
                #Predicate { $0.text < text },
                #Predicate { $0.text < text && $0.shout == $0.shout }, in: world.context)
            guard text <= "\u{e9}x" else { continue }
            let range = text..."\u{e9}x"
            try compare(
                #Predicate { range.contains($0.text) },
                #Predicate { $0.shout == $0.shout && range.contains($0.text) }, in: world.context)
        }
        try compare(
            #Predicate { $0.text >= ($0.maybeText ?? "") },
            #Predicate { $0.shout == $0.shout && $0.text >= ($0.maybeText ?? "") },
            in: world.context)
    }

    private func compare(
        _ compiled: Predicate<Specimen>, _ asked: Predicate<Specimen>,
        in context: ManagedObjectContext
    ) throws {
        let (whole, single) = (FetchRequest(predicate: compiled), FetchRequest(predicate: asked))
        #expect(try whole.explain(in: context).notCompiled == [])
        #expect(try single.explain(in: context).notCompiled != [])
        #expect(Array(try context.fetch(whole)) == Array(try context.fetch(single)))
    }
}
