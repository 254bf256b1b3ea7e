#if Postgres
    import CPostgres
    import Foundation

    /// A value that a statement gets, in binary: nothing in it has to be escaped.
    enum Parameter {
        case int(Int)
        case text(String)
        case bytes(Data)
        case list([Data])
        case texts([String])
        case ints([Int])

        /// The number that PostgreSQL gives to the type, forever.
        fileprivate var type: Oid {
            switch self {
            case .int: 20
            case .text: 25
            case .bytes: 17
            case .list: 1001
            case .texts: 1009
            case .ints: 1016
            }
        }

        fileprivate func write(to bytes: inout [UInt8]) {
            switch self {
            case .int(let value): bytes.append(bigEndian: Int64(value))
            case .text(let value): bytes += value.utf8
            case .bytes(let value): bytes += value
            case .list(let values): write(values.map(Parameter.bytes), of: 17, to: &bytes)
            case .texts(let values): write(values.map(Parameter.text), of: 25, to: &bytes)
            case .ints(let values): write(values.map(Parameter.int), of: 20, to: &bytes)
            }
        }

        private func write(_ elements: [Parameter], of type: Int32, to bytes: inout [UInt8]) {
            // One dimension, no nulls, the type of the elements; how many there are, counted from one.
            for number in [1, 0, type, Int32(elements.count), 1] { bytes.append(bigEndian: number) }
            for element in elements {
                let start = bytes.count
                bytes.append(bigEndian: Int32(0))
                element.write(to: &bytes)
                let count = Int32(bytes.count - start - 4)
                withUnsafeBytes(of: count.bigEndian) {
                    bytes.replaceSubrange(start..<start + 4, with: $0)
                }
            }
        }
    }

    /// Parameters one after the other, as libpq takes them.
    struct EncodedParameters {
        private var bytes: [UInt8] = []
        private var types: [Oid] = []
        private var starts: [Int] = []
        private var lengths: [Int32] = []

        init(_ parameters: [Parameter]) {
            for parameter in parameters {
                types.append(parameter.type)
                starts.append(bytes.count)
                parameter.write(to: &bytes)
                lengths.append(Int32(bytes.count - (starts.last ?? 0)))
            }
            // Even if all of them are empty, each has an address: without one it would be null.
            bytes.append(0)
        }

        func withPointers<Value>(
            _ body: (
                Int32, UnsafePointer<Oid>, UnsafePointer<UnsafePointer<CChar>?>,
                UnsafePointer<Int32>, UnsafePointer<Int32>
            ) -> Value
        ) -> Value {
            bytes.withUnsafeBytes { bytes in
                let values = starts.map { start in
                    bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) }
                }
                let formats = [Int32](repeating: 1, count: starts.count)
                return body(Int32(starts.count), types, values, lengths, formats)
            }
        }
    }

    extension [UInt8] {
        fileprivate mutating func append(bigEndian value: some FixedWidthInteger) {
            Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
        }
    }
#endif
