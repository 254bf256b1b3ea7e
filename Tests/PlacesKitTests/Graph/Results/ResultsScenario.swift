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
            ],
            windows)
    }
}

extension ResultsScenario<ResultsModel.Place> {
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
            ],
            windows)
    }
}
