/// What happened to the object of an ``ObjectController``.
public enum ObjectControllerEvent: Hashable, Sendable {
    /// There is an object with the key now: it was inserted or got the key, or its deletion was undone.
    case appeared(ObjectID)
    /// Some properties of the object changed, which are given by name.
    case changed(ObjectID, Set<String>)
    /// The object has the key no longer: it was deleted or got another one, or its insertion was undone.
    case gone(ObjectID)
}

extension ChangeStream<ObjectControllerEvent> {
    /// What is put into a mailbox that the caller shall keep.
    init(keeping body: (Mailbox<ShownObjectChange>) -> Void) {
        let (mailbox, reader) = Mailbox<ShownObjectChange>.make(
            limit: 256, weight: \.objects.weight, join: ShownObjectChange.join)
        self.init(reader, \.events)
        body(mailbox)
    }
}

/// A change of the context, and which object a controller showed before it and after it.
struct ShownObjectChange: Sendable {
    var objects: ObjectChanges
    var old: ObjectID?
    var new: ObjectID?

    /// What it did to the object that is shown.
    var events: [ObjectControllerEvent] {
        guard let old, old == new else {
            return [old.map { .gone($0) }, new.map { .appeared($0) }].compactMap(\.self)
        }
        guard case .updated(let names)? = objects.event(of: old) else { return [] }
        return [.changed(old, names)]
    }

    /// Makes of some changes the one that stands for them; returns those that it was made of.
    static func join(_ changes: inout [ShownObjectChange]) -> [ShownObjectChange] {
        let former = changes
        guard let first = changes.first, let last = changes.last else { return [] }
        changes = [
            ShownObjectChange(
                objects: ObjectChanges(from: first.objects, to: last.objects), old: first.old,
                new: last.new)
        ]
        return former
    }
}
