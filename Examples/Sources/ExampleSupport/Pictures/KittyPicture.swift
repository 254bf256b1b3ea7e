import Foundation

/// Pictures in kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/).
enum KittyPicture {
    /// How many characters of a file a command may carry.
    private static let chunkLength = 4_096

    /// What draws a PNG file, or a part of it, over some cells, and leaves the cursor where it is.
    static func command(_ file: Data, _ part: PixelPart?, in box: CellBox) -> String {
        var keys = "a=T,f=100,q=2,C=1,c=\(box.columns),r=\(box.rows)"
        if let part { keys += ",x=\(part.x),y=\(part.y),w=\(part.width),h=\(part.height)" }
        var rest = file.base64EncodedString()[...]
        var command = ""
        repeat {
            let chunk = rest.prefix(chunkLength)
            rest = rest.dropFirst(chunk.count)
            command += "\u{1B}_G\(keys),m=\(rest.isEmpty ? 0 : 1);\(chunk)\u{1B}\\"
            // What follows belongs to the first.
            keys = "q=2"
        } while !rest.isEmpty
        return command
    }
}
