import Foundation
import PlacesKit
import Testing

/// The length of text and data in format strings.
@Suite struct FormatLengthTests {
    private let world: FormatWorld

    init() throws { world = try FormatWorld() }

    @Test func `text has a length`() {
        world.check(
            """
            title.length == 3 ⇒ 4
            title.length > 3 ⇒ 1 2 3
            title.length == 0 ⇒ 6
            SELF.title.length == 2 ⇒ 5
            (title).length == 2 ⇒ 5
            title.length IN {0, 2} ⇒ 5 6
            title.length IN {0, 2.0, 2.5} ⇒ 5 6
            title.length BETWEEN {2, 3} ⇒ 4 5
            title.length + 1 == 4 ⇒ 4
            title.length == 2.5 ⇒
            title.length < 2.5 ⇒ 5 6
            title.length <= caption.length ⇒ 1 4 5 6
            caption.length == nil ⇒ 2
            caption.length == 0 ⇒ 3
            caption.length < 5 ⇒ 3 4 5
            mood.length == 3 ⇒ 3 6
            'Zoo'.length == title.length ⇒ 4
            ('Zo' ).length == title.length ⇒ 5
            '👩‍👩‍👧'.length == 8 ⇒ 1 2 3 4 5 6
            'é'.length == 1 ⇒ 1 2 3 4 5 6
            'e\\u0301'.length == 2 ⇒ 1 2 3 4 5 6
            nil == {nil}[0].length ⇒ 1 2 3 4 5 6
            data.length == 2 ⇒ 1
            data.length == nil ⇒ 2 3 4 5 6
            """)
    }

    @Test func `the length is read across relationships`() {
        world.check(
            """
            town.name.length > 5 ⇒ 3 4 5
            town.name.length == nil ⇒ 6
            town.city.name.length == 5 ⇒ 5
            title.length <= town.name.length ⇒ 2 3 4 5
            ANY words.text.length > 4 ⇒ 1 3 6
            ALL words.text.length > 4 ⇒ 1 2 3 4
            NONE words.text.length IN {3} ⇒ 1 2 3 4
            words[0].text.length == 5 ⇒ 1 3 6
            words.@sum.text.length == 8 ⇒ 6
            words.@max.text.length == 3 ⇒ 5
            SUBQUERY(words, $w, $w.text.length > 3).@count == 1 ⇒ 3 6
            SUBQUERY(words, $w, $w.text.length == title.length).@count == 1 ⇒
            SUBQUERY(town.shots, $s, $s.title.length < title.length).@count == 1 ⇒ 1 3
            """)
    }

    @Test func `what has no length is refused`() {
        world.check(
            """
            views.length == 2 ⇒ 7: Shot.views is not a relationship, so nothing can follow it
            taken.length == 2 ⇒ 7: Shot.taken is not a relationship, so nothing can follow it
            title.length.length == 2 ⇒ 14: Shot.title.length is not a relationship, so nothing can follow it
            town.length == 2 ⇒ 6: Site has no property length
            title.length[0] == 2 ⇒ 13: Shot.title.length is not a relationship, so nothing can follow it
            (views + 1).length == 2 ⇒ 13: this is no key path, so its length cannot be read: give the length itself
            5.length == 2 ⇒ 3: this is no key path, so its length cannot be read: give the length itself
            title.length == 'x' ⇒ 14: a number can never be == text
            """)
    }

    @Test func `live results follow a length behind a relationship`() throws {
        let request = try FetchRequest<Shot>(
            where: "town.name.length > 5 OR ANY words.text.length == 2",
            sortBy: [SortDescriptor(\.number)])
        let results = try FetchedResultsController(request, in: world.context)
        #expect(results.objects.map(\.number) == [3, 4, 5])
        world.sites[0].name = "Lutetia"
        world.context.processPendingChanges()
        #expect(results.objects.map(\.number) == [1, 2, 3, 4, 5])
        world.sites[1].name = "Zug"
        world.words[2].text = "la"
        world.context.processPendingChanges()
        #expect(results.objects.map(\.number) == [1, 2, 5, 6])
    }

    @Test func `explain tells the length by its name`() throws {
        let explanation = try FetchRequest<Shot>(where: "town.name.length > 5")
            .explain(in: world.context)
        #expect(explanation.description.contains("name.length > 5"))
    }
}
