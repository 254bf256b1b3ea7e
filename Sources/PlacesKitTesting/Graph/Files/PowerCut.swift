import PlacesGraph

/// One of the many states in which a disk may be after a power failure.
struct PowerCut {
    /// What is certainly on the disk.
    private var safe: CrashingDisk
    /// The files and names as the process saw them.
    private var seen: CrashingDisk
    /// The steps on each file and directory since it was synchronised.
    private var writes: [Int: [CrashingStep]] = [:]
    private var names: [FilePath: [NameChange]] = [:]
    private let seed: UInt64

    /// A change of the names in one directory, which happens as a whole: the name that is removed, and the
    /// name that is added with its file.
    fileprivate struct NameChange {
        var old: String?
        var new: String?
        var file: Int?
    }

    init(seed: UInt64, disk: CrashingDisk) {
        (self.seed, safe, seen) = (seed, disk, disk)
    }

    /// Takes a step that was performed before the power failure.
    mutating func note(_ step: CrashingStep) {
        switch step {
        case .makeDirectory(let path):
            names[path.parent, default: []].append(
                NameChange(new: path.name))
            // If the directory survives, it is empty.
            safe.directories[path.withoutSlash] = [:]
        case .create(let file, let path):
            names[path.parent, default: []].append(NameChange(new: path.name, file: file))
            safe.contents[file] = []
            safe.nextFile = max(safe.nextFile, file + 1)
        case .write(let file, _, _), .truncate(let file, _):
            writes[file, default: []].append(step)
        case .synchronize(let file):
            for write in writes[file] ?? [] { safe.apply(write) }
            writes[file] = nil
        case .rename(let old, let new):
            // A document renames files only within one directory.
            names[new.parent, default: []].append(
                NameChange(old: old.name, new: new.name, file: seen.file(at: old)))
        case .remove(let path):
            names[path.parent, default: []].append(NameChange(old: path.name))
        case .synchronizeDirectory(let path):
            for change in names[path] ?? [] { safe.change(path, change) }
            names[path] = nil
        }
        seen.apply(step)
    }

    /// The disk after the power failure.
    var disk: CrashingDisk {
        var disk = safe
        var random = PowerCutRandom(state: seed)
        for (path, changes) in names.sorted(by: { $0.key.description < $1.key.description }) {
            for change in changes where Bool.random(using: &random) {
                disk.change(path, change)
            }
        }
        for (file, steps) in writes.sorted(by: { $0.key < $1.key }) {
            // In half of the cases all steps before some step survive, as after most power
            // failures.
            let isOrdered = Bool.random(using: &random)
            let bound = Int.random(in: 0...steps.count, using: &random)
            for (number, step) in steps.enumerated() {
                if isOrdered, number < bound {
                    disk.apply(step)
                } else if !isOrdered || number == bound {
                    apply(step, to: file, of: &disk, &random)
                }
            }
        }
        return disk
    }

    /// Applies a step that was not synchronised: completely, in part, or not at all.
    private func apply(
        _ step: CrashingStep, to file: Int, of disk: inout CrashingDisk,
        _ random: inout PowerCutRandom
    ) {
        guard case .write(_, let offset, var bytes) = step, !bytes.isEmpty else {
            if Bool.random(using: &random) { disk.apply(step) }
            return
        }
        let count = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return
        case 1: disk.apply(step)
        case 2: disk.write(Array(bytes.prefix(count)), to: file, at: offset)
        case 3:
            for position in count..<bytes.count { bytes[position] = 0 }
            disk.write(bytes, to: file, at: offset)
        default:
            let end = Int.random(in: count...bytes.count, using: &random)
            for position in count..<end {
                bytes[position] = UInt8.random(in: 0...255, using: &random)
            }
            disk.write(bytes, to: file, at: offset)
        }
    }
}

extension CrashingDisk {
    /// Changes the names in a directory.
    fileprivate mutating func change(_ path: FilePath, _ change: PowerCut.NameChange) {
        if let old = change.old {
            directories[path]?[old] = nil
            directories[path.appending(old)] = nil
        }
        if let new = change.new {
            directories[path]?[new] = .some(change.file)
            let path = path.appending(new)
            if change.file == nil, directories[path] == nil { directories[path] = [:] }
        }
    }
}

/// A small generator with a seed: SplitMix64 (Steele, Lea, Flood 2014).
private struct PowerCutRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
