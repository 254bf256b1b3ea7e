package import NIOCore
package import PlacesKit

/// A list that browsers show and are kept current about: each batch of its controller is one event.
///
/// Who comes back is sent the events that it missed, as long as they are remembered, and else the whole list.
@MainActor
package final class ListFeed<Object: ManagedObject>: Feed {
    /// About how many bytes of events are remembered for who comes back.
    private static var memory: Int { 256 << 10 }

    package let name: String
    /// The list.
    package let list: ListController<Object>
    private let row: (Object, ListRow) -> WebRow
    private var streams: [ObjectIdentifier: EventStream] = [:]

    /// Tells this list from that of another run of the server.
    private let epoch = String(UInt32.random(in: .min ... .max), radix: 36)
    /// The number of the last event.
    private var number = 0
    /// The latest events, without gaps up to the last one.
    private var past: [ByteBuffer] = []
    private var pastByteCount = 0
    private var whole: ByteBuffer?
    private var sectionNumbers: [SectionKey: Int] = [:]
    private var nextSectionNumber = 0

    /// What goes on behind the list, for a line above it.
    package private(set) var status = FeedStatus()

    /// Follows a list; `row` makes of an object, and of what its list shows of it, what a browser shows.
    package init(
        _ name: String, _ list: ListController<Object>,
        row: @escaping (Object, ListRow) -> WebRow
    ) {
        (self.name, self.list, self.row) = (name, list, row)
        list.onChange = { [weak self] change in
            MainActor.assumeIsolated { self?.tell(change) }
        }
    }

    package var isFollowed: Bool { !streams.isEmpty }

    package func join(_ stream: EventStream, since position: String?) {
        streams[ObjectIdentifier(stream)] = stream
        if let missed = missed(since: position) {
            missed.forEach(stream.send)
        } else {
            stream.send(wholeList())
        }
        stream.send(statusFrame)
    }

    private var statusFrame: ByteBuffer { status.frame(of: name, message: list.message) }

    package func leave(_ stream: EventStream) { streams[ObjectIdentifier(stream)] = nil }

    package func tell(_ status: FeedStatus) {
        guard status != self.status else { return }
        self.status = status
        send(statusFrame)
    }

    private func send(_ frame: ByteBuffer) {
        for stream in streams.values { stream.send(frame) }
    }

    private func missed(since position: String?) -> ArraySlice<ByteBuffer>? {
        guard let parts = position?.split(separator: "-"), parts.count == 2, parts[0] == epoch,
            let seen = Int(parts[1]), (number - past.count...number).contains(seen)
        else { return nil }
        return past.suffix(number - seen)
    }

    private var position: String { "\(epoch)-\(number)" }

    // MARK: - What is shown

    private func wholeList() -> ByteBuffer {
        if let whole { return whole }
        let sections = list.snapshot.sections.enumerated().map { index, section in
            var event = header(of: section)
            event.rows = section.range.map { shown(list.objects[$0]) }
            return event
        }
        let frame = EventFrame.event(
            ListEvent(
                feed: name, position: position, sections: sections, message: list.message))
        whole = frame
        return frame
    }

    private func header(of section: ResultsSnapshot<ObjectID>.Section) -> ListEvent.Section {
        let id = sectionNumbers[section.key] ?? nextSectionNumber
        if id == nextSectionNumber { nextSectionNumber += 1 }
        sectionNumbers[section.key] = id
        return ListEvent.Section(id: id, title: list.sectionTitle(section.name))
    }

    private func shown(_ object: Object) -> WebRow { row(object, list.row(of: object)) }

    private func shown(_ id: ObjectID) -> WebRow? {
        (list.context.object(with: id) as? Object).map(shown)
    }

    // MARK: - What happens

    /// Tells the headers of all sections, as when the day is another and "Today" is yesterday.
    package func tellSections() {
        let sections = list.snapshot.sections.map(header)
        tell { ListEvent(feed: name, position: position, change: .init(sections: sections)) }
    }

    /// Tells what the row of an object shows now, where that comes of more than the list follows.
    package func tell(_ object: Object) {
        guard list.position(of: object) != nil else { return }
        tell { ListEvent(feed: name, position: position, change: .init(rows: [shown(object)])) }
    }

    private func tell(_ change: ResultsChange<ObjectID>) { tell { event(of: change) } }

    private func tell(_ event: () -> ListEvent) {
        whole = nil
        number += 1
        var event = event()
        event.message = list.message
        let frame = EventFrame.event(event)
        past.append(frame)
        pastByteCount += frame.readableBytes
        while pastByteCount > Self.memory, let first = past.first {
            pastByteCount -= first.readableBytes
            past.removeFirst()
        }
        send(frame)
    }

    private func event(of change: ResultsChange<ObjectID>) -> ListEvent {
        let difference = change.difference
        let arrivals =
            difference.itemInserts.map { ($0.identifier, $0.position) }
            + difference.itemMoves.map { ($0.identifier, $0.newPosition) }
        let placements = arrivals.sorted { $0.1 < $1.1 }.map { id, position in
            ListEvent.Placement(id: "\(id)", section: position.section, item: position.item)
        }
        // A section that is told by another key keeps its rows, and so its number.
        let renamed = difference.sectionRenames.map { ($0.key, sectionNumbers[$0.oldKey]) }
        for rename in difference.sectionRenames { sectionNumbers[rename.oldKey] = nil }
        for (key, number) in renamed { sectionNumbers[key] = number }
        let sectionsChanged =
            !difference.sectionInserts.isEmpty || !difference.sectionDeletes.isEmpty
            || !difference.sectionMoves.isEmpty || !difference.sectionRenames.isEmpty
        let shownAnew = arrivals.map(\.0) + difference.itemUpdates.map(\.identifier)
        return ListEvent(
            feed: name, position: position,
            change: ListEvent.Change(
                deletes: difference.itemDeletes.map { "\($0.identifier)" },
                sections: sectionsChanged ? change.after.sections.map(header) : nil,
                placements: placements, rows: shownAnew.compactMap(shown)))
    }
}

/// What goes on behind a list, for a line above it.
package struct FeedStatus: Hashable, Sendable {
    /// What a person reads; nothing is shown if it is empty.
    package var text: String
    /// Whether something is waited for.
    package var isBusy: Bool
    /// Whether something went wrong.
    package var isFailure: Bool

    /// Makes a status; nothing goes on unless you say so.
    package init(_ text: String = "", isBusy: Bool = false, isFailure: Bool = false) {
        (self.text, self.isBusy, self.isFailure) = (text, isBusy, isFailure)
    }

    /// The event that tells the status of a feed, and what is said instead of its rows.
    package func frame(of feed: String, message: String? = nil) -> ByteBuffer {
        let status = ListEvent.Status(text: text, isBusy: isBusy, isFailure: isFailure)
        return EventFrame.event(ListEvent(feed: feed, message: message, status: status))
    }
}
