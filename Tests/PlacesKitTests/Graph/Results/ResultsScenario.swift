import Foundation
import PlacesKit

/// A request, and the sections of its results.
struct ResultsScenario<Object: ManagedObject> {
    var name: String
    var request: FetchRequest<Object>
    var sections: Sections
    var reads: ResultsReads

    struct Part<Value> {
        var name: String
        var value: Value
        var reads: ResultsReads = []
    }

    struct Sections {
        var name: String
        var reads: ResultsReads = []
        var make:
            (FetchRequest<Object>, ManagedObjectContext) throws -> FetchedResultsController<Object>
        /// Asks a controller for other objects, in these sections.
        var change: (FetchedResultsController<Object>, FetchRequest<Object>) throws -> Void
        /// The key of an object's section; `nil` where there are no sections.
        var section: ((Object) -> SectionKey)?
        /// The sections that are there even if they hold nothing.
        var always: [SectionKey] = []
        /// Where a section comes; those with the same number come in the order of `always`, then of their first
        /// objects.
        var order: (SectionKey) -> Int = { _ in 0 }
        /// What a section is called.
        var title: (SectionKey) -> String = \.name

        /// The sections that a rule makes.
        init(
            name: String, reads: ResultsReads = [], rule: SectionRule<Object>,
            section: @escaping (Object) -> SectionKey
        ) {
            self.init(name: name, reads: reads) {
                try FetchedResultsController($0, sectionBy: rule, in: $1)
            } change: {
                try $0.setRequest($1, sectionBy: rule)
            }
            self.section = section
        }

        init(
            name: String, reads: ResultsReads = [],
            make:
                @escaping (FetchRequest<Object>, ManagedObjectContext) throws ->
                FetchedResultsController<Object>,
            change:
                @escaping (FetchedResultsController<Object>, FetchRequest<Object>) throws -> Void,
            section: ((Object) -> SectionKey)? = nil
        ) {
            (self.name, self.reads) = (name, reads)
            (self.make, self.change, self.section) = (make, change, section)
        }
    }

    /// All combinations of some parts.
    static func all(
        _ predicates: [Part<Predicate<Object>?>], _ sorts: [Part<[SortDescriptor<Object>]>],
        _ sections: [Sections], _ windows: [Part<(limit: Int?, offset: Int)>]
    ) -> [Self] {
        var scenarios: [Self] = []
        for predicate in predicates {
            for sort in sorts {
                for section in sections {
                    for window in windows {
                        scenarios.append(
                            ResultsScenario(
                                name: """
                                    \(Object.self) where \(predicate.name) by \(sort.name) in \
                                    sections \(section.name), \(window.name)
                                    """,
                                request: FetchRequest(
                                    predicate: predicate.value, sortBy: sort.value,
                                    limit: window.value.limit, offset: window.value.offset),
                                sections: section,
                                reads: [predicate.reads, sort.reads, section.reads]))
                    }
                }
            }
        }
        return scenarios
    }
}

extension ResultsScenario {
    static var windows: [Part<(limit: Int?, offset: Int)>] {
        [
            Part(name: "all", value: (nil, 0)),
            Part(name: "5 from the third", value: (5, 2)),
        ]
    }
}

extension ResultsScenario<ResultsModel.Photo> {
    static var photos: [Self] {
        all(
            [
                Part(name: "anything", value: nil),
                Part(name: "few views", value: #Predicate { $0.views < 6 || $0.isFavorite }),
                Part(
                    name: "in France", value: #Predicate { $0.takenAt?.country == "France" },
                    reads: .country),
                Part(name: "abroad", value: #Predicate { $0.isAbroad }, reads: .opaque),
            ],
            [
                Part(name: "nothing", value: []),
                Part(
                    name: "views",
                    value: [SortDescriptor(\.views, order: .reverse), SortDescriptor(\.title)]),
                Part(
                    name: "country",
                    value: [
                        SortDescriptor(\.takenAt?.country),
                        SortDescriptor(\.title, order: .reverse),
                    ], reads: .country),
                Part(
                    name: "date",
                    value: [SortDescriptor(\.date, order: .reverse), SortDescriptor(\.views)]),
                Part(
                    name: "no date last",
                    value: [SortDescriptor(\.date, nils: .last), SortDescriptor(\.views)]),
                Part(
                    name: "length",
                    value: [
                        SortDescriptor(\.title, comparator: ByLength(), order: .reverse),
                        SortDescriptor(\.takenAt?.country, order: .reverse, nils: .first),
                    ], reads: .country),
                Part(
                    name: "place",
                    value: [
                        SortDescriptor(\.takenAt?.name, order: .reverse), SortDescriptor(\.date),
                    ], reads: .name),
                Part(
                    name: "initial", value: [SortDescriptor(\.initial), SortDescriptor(\.views)],
                    reads: .opaque),
            ],
            [
                Sections(name: "none") {
                    try FetchedResultsController($0, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: nil)
                },
                Sections(name: "views") {
                    try FetchedResultsController($0, sectionBy: \.views, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: \.views)
                } section: {
                    SectionKey($0.views)
                },
                Sections(name: "country", reads: .country) {
                    try FetchedResultsController($0, sectionBy: \.takenAt?.country, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: \.takenAt?.country)
                } section: {
                    SectionKey($0.takenAt?.country)
                },
                Sections(name: "taken at") {
                    try FetchedResultsController($0, sectionBy: \.takenAt, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: \.takenAt)
                } section: {
                    SectionKey($0.takenAt?.objectID)
                },
                Sections(name: "initial", reads: .opaque) {
                    try FetchedResultsController($0, sectionBy: \.initial, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: \.initial)
                } section: {
                    SectionKey($0.initial)
                },
                popularity, letters, favourites, initials,
            ],
            windows)
    }
}

extension ResultsScenario<ResultsModel.Photo> {
    /// Sections with an order and names of their own.
    private static var popularity: Sections {
        let rule = SectionRule<ResultsModel.Photo>(\.views) { views in
            views / 3
        } title: { key in
            ["few", "some", "many"].indices.contains(key) ? ["few", "some", "many"][key] : "most"
        } order: { key in
            (key % 2 == 0 ? -key : nil) as Int?
        }
        var sections = Sections(name: "popularity", rule: rule) { SectionKey($0.views / 3) }
        // No number comes before all numbers.
        sections.order = { key in
            guard let key = key.value as? Int, key % 2 == 0 else { return -100 }
            return -key
        }
        sections.title = { key in
            switch key.value as? Int {
            case 0: "few"
            case 1: "some"
            case 2: "many"
            default: "most"
            }
        }
        return sections
    }

    /// The first letters of names of other objects, those of no name too.
    private static var letters: Sections {
        let index = LocalizedIndex(locale: Locale(identifier: "en"))
        var sections = Sections(
            name: "letters", reads: .name, rule: .firstLetters(of: \.takenAt?.name, in: index)
        ) {
            SectionKey($0.takenAt?.name.first.map { String($0) } ?? "#")
        }
        sections.order = { index.order(of: $0.name) }
        return sections
    }

    /// What two properties come to, where some sections are always there.
    private static var favourites: Sections {
        let always = ["unseen", "never", "liked 3"]
        let rule = SectionRule<ResultsModel.Photo>(\.isFavorite, \.views, always: always) {
            $0 ? "liked \($1)" : $1 == 0 ? "unseen" : "other"
        }
        var sections = Sections(name: "favourites", rule: rule) {
            SectionKey(
                $0.isFavorite ? "liked \($0.views)" : $0.views == 0 ? "unseen" : "other")
        }
        sections.always = always.map { SectionKey($0) }
        return sections
    }

    /// What is computed, where some sections are always there.
    private static var initials: Sections {
        var sections = Sections(
            name: "initials", reads: .opaque,
            rule: SectionRule(\.initial, always: ["Z", "C"], key: { $0 }, order: { $0 })
        ) {
            SectionKey($0.initial)
        }
        sections.always = ["Z", "C"]
        sections.order = { Int($0.name.utf8.first ?? 0) }
        return sections
    }
}

extension ResultsScenario<ResultsModel.Place> {
    /// All letters, whether a country begins with them or not.
    private static var letters: Sections {
        let index = LocalizedIndex(locale: Locale(identifier: "en"))
        var sections = Sections(
            name: "letters", rule: .firstLetters(of: \.country, in: index, keepsEmpty: true)
        ) {
            SectionKey($0.country?.first.map { String($0) } ?? "#")
        }
        sections.always = index.titles.map { SectionKey($0) }
        sections.order = { index.order(of: $0.name) }
        return sections
    }

    /// How many photos there are.
    private static var sizes: Sections {
        var sections = Sections(
            name: "sizes",
            rule: SectionRule(
                \.photos.count, always: [1, 100], key: { min($0, 4) }, order: { -$0 })
        ) {
            SectionKey(min($0.photos.count, 4))
        }
        sections.always = [SectionKey(1), SectionKey(100)]
        sections.order = { -($0.value as? Int ?? 0) }
        return sections
    }

    static var places: [Self] {
        all(
            [
                Part(name: "anything", value: nil),
                Part(
                    name: "with favourites",
                    value: #Predicate { $0.photos.contains { $0.isFavorite } }, reads: .isFavorite),
                Part(name: "with photos", value: #Predicate { $0.photos.count > 1 }),
            ],
            [
                Part(name: "name", value: [SortDescriptor(\.name)]),
                Part(name: "country", value: [SortDescriptor(\.country, order: .reverse)]),
                Part(
                    name: "length",
                    value: [SortDescriptor(\.country, comparator: ByLength(), nils: .last)]),
                Part(
                    name: "photos",
                    value: [
                        SortDescriptor(\.photos.count, order: .reverse), SortDescriptor(\.name),
                    ]
                ),
            ],
            [
                Sections(name: "none") {
                    try FetchedResultsController($0, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: nil)
                },
                Sections(name: "country") {
                    try FetchedResultsController($0, sectionBy: \.country, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: \.country)
                } section: {
                    SectionKey($0.country)
                },
                Sections(name: "label", reads: .opaque) {
                    try FetchedResultsController($0, sectionBy: \.label, in: $1)
                } change: {
                    try $0.setRequest($1, sectionBy: \.label)
                } section: {
                    SectionKey($0.label)
                },
                letters, sizes,
            ],
            windows)
    }
}
