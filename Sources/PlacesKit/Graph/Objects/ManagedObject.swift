public import Observation

/// An object of a graph: a thin handle to its row in a context.
///
/// Subclass it, declare the properties with ``Attribute`` and ``Relationship``, and make objects with
/// ``init(context:)``:
///
/// ```swift
/// final class Place: ManagedObject {
///     @Attribute(.unique) var name: String
///     @Relationship var photos: ObjectSet<Photo>
/// }
/// let paris = Place(context: context)
/// paris.name = "Paris"
/// ```
///
/// - A context has one handle for an object at a time, so `===` tells identity.
/// - A handle keeps its context alive, not the reverse; values and pending changes live in the
///   context's graph and stay when the handle goes.
/// - Reading a deleted object gives what it last held. Writing one changes nothing, and the next
///   save says so.
/// - `withObservationTracking` tells of changed attributes, relationships and derived attributes, whoever
///   changed them.
open class ManagedObject: Observable, IdentifiedObject {
    @usableFromInline final let _access: UnsafeMutablePointer<TableAccess>
    /// The object's row.
    @usableFromInline @exclusivity(unchecked) final var row: Row
    /// Kept alive by the context; unmanaged, for counting references costs as much as all the rest of
    /// a handle's life.
    final let unmanagedTable: Unmanaged<ObjectTable>?
    /// The context that the object belongs to; `nil` only in PlacesKit's own prototypes.
    public final let context: ManagedObjectContext?
    /// Whether the object is gone and the handle keeps its row from being used again.
    final var holdsRow = false

    /// What objects of the class have to keep to together, and are found by: nothing besides what
    /// their properties say.
    open class var constraints: [EntityConstraint] { [] }

    /// Inserts a new object into a context.
    ///
    /// - Precondition: The class is part of the model of the context's store.
    public required convenience init(context: ManagedObjectContext) {
        self.init(context.insertionSeed(for: Self.self))
        context.hooks.awakeFromInsert(self)
    }

    /// Makes the handle of a row; called by PlacesKit alone.
    @_documentation(visibility: internal)
    public required init(_ seed: ObjectSeed) {
        _access = seed.access
        row = seed.row
        unmanagedTable = seed.table
        context = seed.table?._withUnsafeGuaranteedRef { $0.context }
        seed.end()
        unmanagedTable?._withUnsafeGuaranteedRef { $0.register(self) }
    }

    deinit {
        unmanagedTable?._withUnsafeGuaranteedRef {
            $0.unregister(self)
            if holdsRow { $0.releaseRow(of: self) }
        }
    }

    // MARK: - Life cycle

    /// Called once when the object was inserted; its properties have their defaults.
    ///
    /// The default does nothing, as that of all these methods.
    open func awakeFromInsert() {}

    /// Called when the object, which was there already, gets a handle: because it was fetched, or
    /// somebody followed a relationship to it.
    ///
    /// A subclass sets up here what it stores in the handle itself. It is called again
    /// when nobody kept the handle and the object is asked for once more.
    open func awakeFromFetch() {}

    /// Called when the object, inserted or changed, is about to be saved.
    ///
    /// What it changes is part of the save, and other objects that it changes are asked too; each
    /// object is asked once in a save. Deleted objects are not asked.
    open func willSave() {}

    /// Called when the object, inserted or changed, is being saved, after its properties' rules were
    /// checked: throws an error where it must not be saved as it is.
    ///
    /// The error is listed among the failures that the save throws, and nothing is saved. The method
    /// only looks: what it changes is not part of the save.
    open func validate() throws {}

    /// Called when the object, inserted or changed, was saved.
    ///
    /// What it changes is pending for the next save.
    open func didSave() {}

    /// Called when the object is about to be deleted, by itself or by a delete rule, while all its
    /// links are there.
    ///
    /// What it deletes is deleted when it has returned.
    open func prepareForDeletion() {}

    /// Whether there are objects of subclasses only; `false` unless a class overrides it.
    ///
    /// Subclasses inherit what a class says of itself, so say which class is meant:
    ///
    /// ```swift
    /// class Animal: ManagedObject {
    ///     override class var isAbstract: Bool { self == Animal.self }
    /// }
    /// ```
    /// An object that is made of an abstract class is refused by the next save.
    open class var isAbstract: Bool { false }

    /// The name that the class had in earlier versions of the model, if it was another.
    ///
    /// A document that was made with the earlier model is migrated when it is opened. Subclasses that
    /// inherit it are not meant.
    open class var originalName: String? { nil }

    // MARK: - Access

    /// The handles of the object's entity; `nil` only for prototypes.
    final var table: ObjectTable? { unmanagedTable?.takeUnretainedValue() }

    /// The object's identity.
    public final var objectID: ObjectID {
        ObjectID(
            entity: table?.entity.name ?? "",
            number: table?.number(of: row) ?? Int64(row.index))
    }

    /// Whether the object was deleted, or never saved before its context was rolled back.
    public final var isDeleted: Bool {
        noteExistenceRead()
        return !_access.pointee.contains(row)
    }

    /// Writes an attribute off the shortcut of its accessor.
    ///
    /// Not inlined, for then the accessor would count a text that it only moves.
    @inlinable @inline(never)
    final func _write<Element: ColumnElement>(_ stored: consuming Element?, slot: Slot) {
        let isValid = stored != nil
        // Used once on each way, so that it is moved and not counted.
        if let block = _access.notedBlock(row, slot) {
            let offset = row.offset
            block.setValid(isValid, at: offset)
            block.elements(of: Element.self)[offset] = stored ?? .unset
        } else {
            withUnsafePointer(to: stored ?? .unset) { _write($0, isValid: isValid, slot: slot) }
        }
    }

    @usableFromInline
    final func _write(_ value: UnsafeRawPointer, isValid: Bool, slot: Slot) {
        let access = _access
        guard access.pointee.contains(row), let transaction = access.pointee.transaction else {
            noteChangeAfterDelete(slot)
            return
        }
        transaction._withUnsafeGuaranteedRef {
            $0.write(value, isValid: isValid, row, slot, in: TableNumber(access - $0.access))
            $0.observations.tell()
        }
    }

    /// Remembers, for the next save, that a property was written after the object was deleted.
    final func noteChangeAfterDelete(_ slot: Slot) {
        guard let table else { return }
        context?.note(.deletedObjectChanged(objectID, property: table.name(of: slot)))
    }
}

extension ManagedObject: Hashable {
    /// Whether both are the same object of the same context.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ManagedObject: Identifiable {}

// Not a member of the class, which a subclass could not declare with another type.
extension Identifiable where Self: ManagedObject {
    /// The object's identity, unless its class declares a property of this name: what identifies the object
    /// to lists of views stays its ``ManagedObject/objectID``.
    public var id: ObjectID { objectID }
}

extension ManagedObject: CustomStringConvertible {}

// Not a member of the class, so that an attribute may be called `description`.
extension CustomStringConvertible where Self: ManagedObject {
    /// The object's identity and what its properties hold, for people: long texts are cut, members are counted,
    /// and nothing is read from files.
    public var description: String { summary }
}

@available(*, unavailable)
extension ManagedObject: Sendable {}
