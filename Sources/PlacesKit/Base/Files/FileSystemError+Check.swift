import Foundation

extension FileSystemError {
    /// Makes a system call, repeats it if a signal interrupts it, and throws if it fails.
    @discardableResult
    package static func check(
        _ operation: Operation, _ path: FilePath, _ call: () -> Int32
    ) throws(FileSystemError) -> Int32 {
        while true {
            let result = call()
            if result >= 0 {
                return result
            }
            try throwUnlessInterrupted(operation, path)
        }
    }

    /// Throws the error of the last system call, unless a signal interrupted that call.
    package static func throwUnlessInterrupted(
        _ operation: Operation, _ path: FilePath
    ) throws(FileSystemError) {
        let code = Platform.errorNumber
        guard POSIXError.Code(rawValue: code) == .EINTR else {
            throw .failed(operation, path: path.description, code: code)
        }
    }
}
