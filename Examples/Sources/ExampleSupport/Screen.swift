public import PlacesKit

/// A live list that a person walks through.
@MainActor
public enum Screen {
    /// Shows a list until the person goes back; what goes wrong is told, and the list shown again.
    ///
    /// - Throws: When the person wants to stop.
    public static func run<Object: SearchableObject>(
        _ title: String, _ list: FetchedResultsController<Object>, row: @MainActor (Object) -> Row,
        empty: String = "Nothing here.", commands: Guide.Commands = [],
        choose: @MainActor (Object) async throws -> Void,
        command: @MainActor (Character) async throws -> Void = { _ in }
    ) async throws {
        var text = ""
        while true {
            let objects = Array(list.objects)
            let answer = await Guide.ask(
                title, objects.map(row), commands: commands, searchText: text, empty: empty)
            do {
                switch answer {
                case .row(let index): try await choose(objects[index])
                case .command(let key): try await command(key)
                case .search(let wanted):
                    try list.search(wanted)
                    text = wanted
                case .back:
                    guard !text.isEmpty else { return }
                    try list.search("")
                    text = ""
                case .quit: throw Quit()
                }
            } catch let quit as Quit {
                throw quit
            } catch is Back {
                return
            } catch {
                print("")
                Terminal.tell(Failure.message(of: error))
            }
        }
    }
}

/// There is nothing more to see in a list.
public struct Back: Error {
    /// Leaves the list.
    public init() {}
}

/// The person wants to stop.
public struct Quit: Error {
    /// Stops.
    public init() {}
}
