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
/// - A context has at most one handle for an object at a time, so `===` compares identity.
/// - A handle keeps what its context shows and has changed, but not the context itself, which ``context``
///   makes anew if nobody else holds it. A context keeps some handles, see
///   ``ManagedObjectContext/keptObjectLimit``. Values and pending changes remain when a handle is
///   released.
/// - A deleted object has the last values of its attributes, but none of those with external storage, and no links
///   but such as deny its delete. Writing to it changes nothing, and the next save throws an error.
/// - `withObservationTracking` notices changes of attributes, relationships and derived attributes,
///   whoever made them.
open class ManagedObject: Observable, IdentifiedObject {
    @usableFromInline final let _access: UnsafeMutablePointer<TableAccess>
    /// The object's row.
    @usableFromInline @exclusivity(unchecked) final var row: Row
    /// The object's position among those that its context keeps alive; negative where it does not.
    final var keptPosition: Int32 = -1
    /// Kept alive by the context, whose state counts its handles; unmanaged, for counting references
    /// costs as much as all the rest of a handle's life.
    final let unmanagedTable: Unmanaged<ObjectTable>?
    /// Whether the object is gone and the handle keeps its row from being used again.
    final var holdsRow = false

    /// The unique combinations and indexes of the class; none unless a class overrides it.
    open class var constraints: [EntityConstraint] { [] }

    /// Inserts a new object into a context.
    ///
    /// - Precondition: The class is part of the model of the context's store.
    public required convenience init(context: ManagedObjectContext) {
        self.init(context.insertionSeed(for: Self.self))
        context.hooks.awakeFromInsert(self)
    }

    /// Makes the handle of a row; only PlacesKit calls it.
    @_documentation(visibility: internal)
    public required init(_ seed: ObjectSeed) {
        _access = seed.access
        row = seed.row
        unmanagedTable = seed.table
        seed.end()
        unmanagedTable?._withUnsafeGuaranteedRef { $0.register(self) }
    }

    deinit {
        unmanagedTable?._withUnsafeGuaranteedRef { $0.unregister(self) }
    }

    // MARK: - Life cycle

    /// PlacesKit calls this once after the object was inserted; its properties have their defaults.
    ///
    /// The default implementation does nothing, as in all hooks.
    open func awakeFromInsert() {}

    /// PlacesKit calls this when an existing object gets a handle.
    ///
    /// An object gets a handle when a fetch returns it or somebody follows a relationship to it.
    ///
    /// A subclass sets up its own stored Swift properties here. If the handle was released
    /// and somebody asks for the object again, PlacesKit calls this again.
    open func awakeFromFetch() {}

    /// PlacesKit calls this before it saves the object, if it was inserted or changed.
    ///
    /// Changes that it makes are part of the save. If it changes other objects, PlacesKit calls
    /// this for them too, once for each object in a save. It does not call it for deleted objects.
    /// Nor does it for what only follows when the save meets what is saved already, from a merge policy or a
    /// ``ClashPolicy``: `validate` and `didSave` see that.
    open func willSave() {}

    /// Throws an error if the inserted or changed object must not be saved as it is.
    ///
    /// PlacesKit calls this during a save, after it checked the rules of the properties.
    ///
    /// The save adds the error to the failures that it throws, and saves nothing. Only read in this
    /// method: changes that it makes are not part of the save.
    open func validate() throws {}

    /// PlacesKit calls this after it saved the object, if it was inserted or changed.
    ///
    /// Changes that it makes are pending until the next save.
    open func didSave() {}

    /// PlacesKit calls this before it deletes the object, while all its links are there.
    ///
    /// The delete may come from a call or from a delete rule.
    ///
    /// PlacesKit does not call this for objects that go in another way: by an undo or a rollback, by a merge
    /// with what others saved, or by a save that lets a new object become a saved one (``ClashPolicy``), which
    /// may still be refused. So do not rely on it alone to remove what belongs to an object outside the store,
    /// such as a file: ``StoreCommit/objects`` has every saved object that a save deleted, whatever the reason.
    ///
    /// Objects that this method deletes are deleted after it has returned.
    open func prepareForDeletion() {}

    /// Whether only subclasses have objects; `false` unless a class overrides it.
    ///
    /// Subclasses inherit this property, so compare with the class that you mean:
    ///
    /// ```swift
    /// class Animal: ManagedObject {
    ///     override class var isAbstract: Bool { self == Animal.self }
    /// }
    /// ```
    /// If an object of an abstract class was made, the next save refuses it.
    open class var isAbstract: Bool { false }

    /// The name that the class had in earlier versions of the model, if it was different.
    ///
    /// Opening a document that was made with the earlier model migrates it. The name applies only
    /// to the class itself, not to subclasses that inherit it.
    open class var originalName: String? { nil }

    /// Notes on the class, for whoever reads the schema; they stand in the files and mean nothing to PlacesKit.
    open class var userInfo: [String: String] { [:] }

    // MARK: - Access

    /// The handles of the object's entity; `nil` only for prototypes.
    final var table: ObjectTable? { unmanagedTable?.takeUnretainedValue() }

    /// The context that the object belongs to; `nil` only in PlacesKit's own prototypes.
    ///
    /// If nobody holds the context any more, this makes it anew, with its pending changes.
    public final var context: ManagedObjectContext? { table?.state.context }

    /// The object's identity.
    public final var objectID: ObjectID {
        ObjectID(
            entity: table?.entity.name ?? "",
            number: table?.number(of: row) ?? Int64(row.index))
    }

    /// Whether the object was deleted, or its insert was rolled back.
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
            // A chunk of this transaction's own, in which no text is packed.
            block.slots(of: Element.self)[offset] = stored ?? .unset
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
            guard !$0.isComputing else { return noteChangeInsideDerivation() }
            $0.write(value, isValid: isValid, row, slot, in: TableNumber(access - $0.access))
            $0.observations.tell()
        }
    }

    /// Remembers, for the next save, that the closure of a derived attribute tried to change something.
    final func noteChangeInsideDerivation() { context?.note(.changeInsideDerivation) }

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
    /// The object's identity, unless its class declares a property named `id`.
    ///
    /// Lists of views identify the object by ``ManagedObject/objectID`` in any case.
    public var id: ObjectID { objectID }
}

extension ManagedObject: CustomStringConvertible {}

// Not a member of the class, so that an attribute may be called `description`.
extension CustomStringConvertible where Self: ManagedObject {
    /// Describes the object's identity and the values of its properties, for people.
    ///
    /// Long texts are cut, members are counted, and nothing is read from files.
    public var description: String { summary }
}

@available(*, unavailable)
extension ManagedObject: Sendable {}
