import Foundation
import PlacesKit
import Testing

/// A shot of the world that the table of format strings asks about.
final class Shot: ManagedObject {
    @Attribute(.unique) var number: Int
    @Attribute var title = ""
    @Attribute var caption: String?
    @Attribute var views = 0
    @Attribute var likes: Int?
    @Attribute var rating: Double?
    @Attribute var isFavorite = false
    @Attribute var taken: Date?
    @Attribute var uuid: UUID
    @Attribute var data: Data?
    @Attribute var mood: Mood = .calm
    /// Named like a keyword.
    @Attribute var between = 0
    @Relationship(inverse: \Site.shots) var town: Site?
    @Relationship(inverse: \Word.shots) var words: ObjectSet<Word>
}

final class Site: ManagedObject {
    @Attribute var name = ""
    @Attribute var size = 0
    @Relationship var shots: ObjectSet<Shot>
    @Relationship(inverse: \Site.suburbs) var city: Site?
    @Relationship var suburbs: ObjectSet<Site>
}

final class Word: ManagedObject {
    @Attribute var text = ""
    @Attribute var weight = 1.0
    @Relationship var shots: ObjectSet<Shot>
}

/// Six shots of two sites and a suburb, with three words.
///
/// | | title | caption | views | likes | rating | favorite | taken | town | words |
/// |-|-------|---------|-------|-------|--------|----------|-------|------|-------|
/// | 1 | Eiffel | Tour de fer | 10 | 1 | 4.5 | yes | 1000 | Paris | night, tower |
/// | 2 | Café | `nil` | 20 | `nil` | 3 | no | 2000 | Paris | |
/// | 3 | cafe | "" | 30 | 3 | `nil` | yes | 3000 | Zürich | night |
/// | 4 | Zoo | a*b | 40 | 4 | 1.5 | no | `nil` | Zürich | |
/// | 5 | 日本 | 100% | 50 | `nil` | -2 | no | 5000 | Montmartre | sea |
/// | 6 | "" | it's "x" | 60 | 6 | 0 | yes | 6000 | `nil` | night, sea |
struct FormatWorld {
    let context: ManagedObjectContext
    let shots: [Shot]
    let sites: [Site]
    let words: [Word]

    init() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Shot.self, Site.self, Word.self]))
        self.context = context
        sites = [("Paris", 2_000_000), ("Zürich", 400_000), ("Montmartre", 10_000)].map {
            let town = Site(context: context)
            (town.name, town.size) = $0
            return town
        }
        sites[2].city = sites[0]
        words = [("night", 1.5), ("tower", 2), ("sea", 0.25)].map {
            let word = Word(context: context)
            (word.text, word.weight) = $0
            return word
        }
        shots = (1...6).map { number in
            let shot = Shot(context: context)
            shot.number = number
            shot.title = ["Eiffel", "Café", "cafe", "Zoo", "日本", ""][number - 1]
            shot.caption = ["Tour de fer", nil, "", "a*b", "100%", "it's \"x\""][number - 1]
            shot.views = number * 10
            shot.likes = [1, nil, 3, 4, nil, 6][number - 1]
            shot.rating = [4.5, 3, nil, 1.5, -2, 0][number - 1]
            shot.isFavorite = [true, false, true, false, false, true][number - 1]
            shot.taken =
                number == 4 ? nil : Date(timeIntervalSinceReferenceDate: Double(number) * 1_000)
            shot.uuid = FormatWorld.uuid(number)
            shot.data = number == 1 ? Data([1, 2]) : nil
            shot.mood = [.calm, .wild, .odd, .calm, .wild, .odd][number - 1]
            shot.between = number
            return shot
        }
        for (number, town) in [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2)] {
            shots[number - 1].town = sites[town]
        }
        for (number, word) in [(1, 0), (1, 1), (3, 0), (5, 2), (6, 0), (6, 2)] {
            shots[number - 1].words.insert(words[word])
        }
        try context.save()
    }

    static func uuid(_ number: Int) -> UUID {
        let byte = UInt8(number)
        return UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, byte))
    }

    /// The numbers of the shots that satisfy a format, as in "1 3"; errors as their column and text.
    func answer(_ format: String, _ arguments: [Any?]) -> String {
        do {
            let predicate = try PredicateFormat(format, arguments: arguments)
            let request = try FetchRequest<Shot>(where: predicate)
            return try context.fetch(request).map { String($0.number) }.joined(separator: " ")
        } catch let error as PredicateFormatError {
            let text = error.description.prefix { !$0.isNewline }
            let end = text.range(of: ", in column")?.lowerBound ?? text.endIndex
            return "\(error.column): \(text[..<end])"
        } catch {
            return "\(error)"
        }
    }
}

extension FormatWorld {
    /// Checks lines of a format string and what it comes to.
    func check(_ table: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for line in table.split(separator: "\n") {
            let parts = line.components(separatedBy: " ⇒")
            let expected = parts[1].trimmingCharacters(in: .whitespaces)
            #expect(
                answer(parts[0], []) == expected, "\(parts[0])", sourceLocation: sourceLocation)
        }
    }
}
