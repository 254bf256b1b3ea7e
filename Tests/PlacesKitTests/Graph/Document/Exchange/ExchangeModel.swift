import Foundation
import PlacesKit

/// Classes whose objects are told apart by unique attributes, so that links mean the same elsewhere.
enum ExchangeModel {
    final class Shot: ManagedObject {
        @Attribute(.unique) var code: String
        @Attribute var title = ""
        @Attribute var note: String? = "none"
        @Attribute(.length(0...12)) var caption = ""
        @Attribute var views = 0
        @Attribute var stars: Int8?
        @Attribute var price: Decimal?
        @Attribute var taken: Date?
        @Attribute var isFavorite = false
        @Attribute var data: Data?
        @Attribute var key: UUID?
        @Relationship(inverse: \Town.shots) var town: Town?
        @Relationship(inverse: \Word.shots) var words: ObjectSet<Word>
        @Relationship(inverse: \Shot.copies) var original: Shot?
        @Relationship var copies: ObjectSet<Shot>
        @Derived(count: \Shot.copies) var copyCount: Int
    }

    final class Town: ManagedObject {
        @Attribute(.unique) var name: String
        @Relationship var shots: ObjectSet<Shot>
    }

    final class Word: ManagedObject {
        @Attribute(.unique) var number: Int
        @Relationship var shots: ObjectSet<Shot>
    }

    static let types: [ManagedObject.Type] = [Shot.self, Town.self, Word.self]
}

extension GraphReader {
    /// All that the objects say, by their unique attributes; the members of relationships sorted.
    func exchangeAccount() throws -> [String] {
        let context = snapshot().context()
        var lines: [String] = []
        for shot in try context.fetch(ExchangeModel.Shot.self) {
            let values: [Any?] = [
                shot.code, Array(shot.title.utf8), shot.note.map { Array($0.utf8) }, shot.caption,
                shot.views, shot.stars, shot.price,
                shot.taken?.timeIntervalSinceReferenceDate.bitPattern, shot.isFavorite,
                shot.data.map { Array($0) }, shot.key, shot.town?.name,
                shot.words.map(\.number).sorted(), shot.original?.code, shot.copyCount,
            ]
            lines.append(values.map { "\($0 as Any)" }.joined(separator: "|"))
        }
        lines += try context.fetch(ExchangeModel.Town.self).map { "Town \(Array($0.name.utf8))" }
        lines += try context.fetch(ExchangeModel.Word.self).map { "Word \($0.number)" }
        return lines.sorted()
    }
}
