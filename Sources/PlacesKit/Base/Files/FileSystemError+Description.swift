import Foundation

extension FileSystemError {
    /// What failed, where, why, and what to do.
    public var description: String {
        switch self {
        case .failed(let operation, let path, let code):
            let reason = "Cannot \(operation.rawValue) '\(path)': \(Platform.errorText(code))."
            return [reason, Self.advice(for: code, operation)].compactMap(\.self)
                .joined(separator: " ")
        case .unexpected(let path, let kind):
            return "'\(path)' is \(kind.rawValue), and was left as it is. \(Self.advice(for: kind))"
        case .locked(let path, let holder):
            let owner =
                switch holder {
                case nil: "another process"
                case Platform.processID: "this process"
                case .some(let holder): "process \(holder)"
                }
            return "'\(path)' is locked by \(owner). Close the document there, then try again."
        }
    }

    private static func advice(for kind: FileKind) -> String {
        switch kind {
        case .linkedFile: "Replace it with a copy, which has no other name."
        case .link: "Replace it with what it leads to: links inside a document are not followed."
        case .pipe, .socket, .device: "Move it elsewhere, or name another path."
        case .ownName: "Choose another name, or another folder."
        default: "Move it elsewhere."
        }
    }

    private static let unsupported = "The volume does not support this; use a local one."

    private static func advice(for code: Int32, _ operation: Operation) -> String? {
        switch POSIXError.Code(rawValue: code) {
        case .ENOSPC, .EDQUOT: "Free some space on the volume, then try again."
        case .EACCES, .EPERM: "Check the permissions of the file and of the folders it lies in."
        case .ENOENT: "Check the spelling of the path, and that the folder it lies in exists."
        case .EROFS: "The volume is read-only; move the document to another one."
        case .ENOTDIR: "A part of the path is a file where a folder is needed."
        case .EISDIR: "The path names a folder where a file is needed."
        case .EEXIST: "Something of that name exists already."
        case .EFBIG where operation == .read: "It does not fit into memory."
        case .EFBIG: "The volume or a limit of the process allows no larger file."
        case .EMFILE, .ENFILE: "Too many files are open; close some, then try again."
        case .ENOLCK: unsupported
        default: Platform.isUnsupported(code) ? unsupported : nil
        }
    }
}
