import Dispatch

/// Whether this code runs where the main actor does: its isolation only says where it should.
var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

private let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()
