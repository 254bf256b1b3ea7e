public import PlacesKit

/// A live list that a person walks through.
@MainActor
public enum Screen {
    /// Shows a list until the person goes back; what goes wrong is told, and the list shown again.
    ///
    /// - Throws: When the person wants to stop.
    public static func run<Object: ManagedObject>(
        _ title: String, _ list: ListController<Object>, in library: PlacesLibrary,
        commands: Guide.Commands = [], isMapped: Bool = false,
        choose: @MainActor (Object) async throws -> Void,
        command: @MainActor (Character) async throws -> Void = { _ in }
    ) async throws {
        while true {
            let objects = Array(list.objects)
            let answer = await Guide.ask(
                title, library.rows(of: list), commands: commands, searchText: list.searchText,
                empty: list.message ?? "", isMapped: isMapped)
            do {
                switch answer {
                case .row(let index): try await choose(objects[index])
                case .command(let key): try await command(key)
                case .search(let wanted): try list.search(wanted)
                case .back:
                    guard !list.searchText.isEmpty else { return }
                    try list.search("")
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
