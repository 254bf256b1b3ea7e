import Foundation

/// What SQLite refused to do.
enum SQLiteError: Error, CustomStringConvertible, LocalizedError {
    case failed(code: Int32, message: String)

    var description: String {
        switch self {
        case .failed(let code, let message): "SQLite failed with code \(code): \(message)"
        }
    }

    var errorDescription: String? {
        description
    }
}
