import Foundation

/// The tag numbers of EXIF's values, from CIPA DC-008.
private enum EXIFTag {
    static let description: UInt16 = 0x010E
    static let orientation: UInt16 = 0x0112
    static let dateTime: UInt16 = 0x0132
    static let artist: UInt16 = 0x013B
    static let pictureOffset: UInt16 = 0x0201
    static let pictureLength: UInt16 = 0x0202
    static let copyright: UInt16 = 0x8298
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let originalDate: UInt16 = 0x9003
    static let digitizedDate: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let originalOffset: UInt16 = 0x9011
    static let digitizedOffset: UInt16 = 0x9012
    static let userComment: UInt16 = 0x9286
    static let subsecond: UInt16 = 0x9290
    static let originalSubsecond: UInt16 = 0x9291
    static let digitizedSubsecond: UInt16 = 0x9292
    static let windowsTitle: UInt16 = 0x9C9B
    static let windowsComment: UInt16 = 0x9C9C
    static let pixelWidth: UInt16 = 0xA002
    static let pixelHeight: UInt16 = 0xA003

    static let latitudeReference: UInt16 = 1
    static let latitude: UInt16 = 2
    static let longitudeReference: UInt16 = 3
    static let longitude: UInt16 = 4
    static let gpsStatus: UInt16 = 9
}

extension PhotoMetadata {
    /// Takes values from EXIF in one or several parts for everything that is not known yet.
    mutating func fill(
        fromEXIF parts: [ArraySlice<UInt8>], dates: inout CaptureDates,
        orientation: inout PhotoOrientation?
    ) {
        guard let first = parts.first, let reader = TIFFReader(first) else { return }
        let whole = parts.count > 1 ? TIFFReader(Array(parts.joined())[...]) : nil
        fill(fromEXIF: whole ?? reader, dates: &dates, orientation: &orientation)
        // The parts do not lie side by side in the file, as all bytes of a picture do.
        fillPictures(from: reader, reader.directory(at: reader.firstDirectory))
    }

    /// Takes values other than pictures.
    private mutating func fill(
        fromEXIF reader: TIFFReader, dates: inout CaptureDates,
        orientation: inout PhotoOrientation?
    ) {
        let main = reader.directory(at: reader.firstDirectory)
        let exif = reader.directory(at: reader.number(main.entries[EXIFTag.exifDirectory]))
        let gps = reader.directory(at: reader.number(main.entries[EXIFTag.gpsDirectory]))
        func text(_ directory: TIFFReader.Directory, _ tag: UInt16) -> String {
            reader.text(directory.entries[tag])
        }

        addDates(from: reader, main: main, exif: exif, to: &dates)
        coordinate = coordinate ?? reader.coordinate(gps)
        orientation =
            orientation
            ?? reader.number(main.entries[EXIFTag.orientation])
            .flatMap(PhotoOrientation.init(rawValue:))
        if let width = reader.number(exif.entries[EXIFTag.pixelWidth]), width > 0,
            let height = reader.number(exif.entries[EXIFTag.pixelHeight]), height > 0
        {
            self.width = self.width ?? width
            self.height = self.height ?? height
        }
        title.fillWords(reader.windowsText(main.entries[EXIFTag.windowsTitle]))
        caption.fillWords(text(main, EXIFTag.description))
        caption.fillWords(reader.comment(exif.entries[EXIFTag.userComment]))
        caption.fillWords(reader.windowsText(main.entries[EXIFTag.windowsComment]))
        artist.fill(text(main, EXIFTag.artist))
        copyright.fill(text(main, EXIFTag.copyright))
    }

    /// Adds the dates of the shot, digitization and last change, with their zones and fractions.
    private func addDates(
        from reader: TIFFReader, main: TIFFReader.Directory, exif: TIFFReader.Directory,
        to dates: inout CaptureDates
    ) {
        func add(
            _ event: CaptureDates.Event, _ date: TIFFReader.Entry?, _ subsecond: UInt16,
            _ offset: UInt16
        ) {
            guard var time = CaptureTime(exif: reader.text(date)) else { return }
            time.nanosecond =
                CaptureTime.nanoseconds(reader.text(exif.entries[subsecond])) ?? time.nanosecond
            time.secondsFromGMT =
                CaptureTime.offset(reader.text(exif.entries[offset])) ?? time.secondsFromGMT
            dates.add(time, of: event)
        }
        add(
            .shot, exif.entries[EXIFTag.originalDate], EXIFTag.originalSubsecond,
            EXIFTag.originalOffset)
        add(
            .digitized, exif.entries[EXIFTag.digitizedDate], EXIFTag.digitizedSubsecond,
            EXIFTag.digitizedOffset)
        add(.changed, main.entries[EXIFTag.dateTime], EXIFTag.subsecond, EXIFTag.offsetTime)
    }

    /// Finds the small picture, in the second directory, and larger ones in other directories.
    private mutating func fillPictures(from reader: TIFFReader, _ main: TIFFReader.Directory) {
        let second = reader.directory(at: main.next)
        thumbnail = thumbnail ?? reader.picture(second).flatMap(reader.jpegRange)
        let third = reader.directory(at: second.next)
        for directory in [main, third, reader.directory(at: third.next)] {
            if let (offset, length) = reader.picture(directory),
                let range = reader.fileRange(from: offset, count: length)
            {
                previews.append(range)
            }
        }
    }
}

extension String {
    /// Takes a text if this one is empty.
    mutating func fill(_ text: @autoclosure () -> String) {
        if isEmpty { self = text() }
    }

    /// Takes a text if this one is empty, unless a camera wrote it.
    mutating func fillWords(_ text: @autoclosure () -> String) {
        guard isEmpty else { return }
        let text = text()
        if !CameraWords.makeUp(text) { self = text }
    }
}

extension TIFFReader {
    /// The text of a value, up to its first zero; as Latin-1 if it is not UTF-8.
    fileprivate func text(_ entry: Entry?) -> String {
        guard let entry, entry.type == 2 || entry.type == 129 else { return "" }
        return Self.text(bytes(of: entry).prefix { $0 != 0 })
    }

    /// The text of a comment, whose first eight bytes name its encoding.
    fileprivate func comment(_ entry: Entry?) -> String {
        guard let entry, entry.count > 8 else { return "" }
        let bytes = bytes(of: entry)
        let content = bytes.dropFirst(8)
        guard bytes.starts(with: "UNICODE".utf8) else {
            return bytes.starts(with: "JIS".utf8) ? "" : Self.text(content.prefix { $0 != 0 })
        }
        return Self.utf16Text(content, isBigEndian: isBigEndian)
    }

    /// The text of a value that Windows adds, which is UTF-16 stored as bytes.
    fileprivate func windowsText(_ entry: Entry?) -> String {
        guard let entry, entry.type == 1 || entry.type == 7 else { return "" }
        return Self.utf16Text(bytes(of: entry), isBigEndian: false)
    }

    /// The coordinate in a GPS directory.
    ///
    /// Without its hemisphere a number could be either, so it counts as none. Receivers without a
    /// fix write 0, 0, or say so in the status.
    fileprivate func coordinate(_ gps: Directory) -> Coordinate? {
        guard text(gps.entries[EXIFTag.gpsStatus]).uppercased() != "V" else { return nil }
        return Coordinate(
            measured: degrees(
                gps, EXIFTag.latitude, EXIFTag.latitudeReference, positive: "N", negative: "S"),
            degrees(
                gps, EXIFTag.longitude, EXIFTag.longitudeReference, positive: "E", negative: "W"))
    }

    private func degrees(
        _ gps: Directory, _ tag: UInt16, _ referenceTag: UInt16, positive: String, negative: String
    ) -> Double? {
        let parts = fractions(gps.entries[tag], atMost: 3)
        guard let first = parts.first, var degrees = first else { return nil }
        for (part, unit) in zip(parts.dropFirst(), [60.0, 3_600]) {
            // Minutes or seconds written as 0/0 are unknown.
            degrees += (part ?? 0) / unit
        }
        switch text(gps.entries[referenceTag]).uppercased().prefix(1) {
        case positive: return degrees
        case negative: return -degrees
        default: return nil
        }
    }

    /// The offset and length of the JPEG file that a directory points to.
    fileprivate func picture(_ directory: Directory) -> (offset: Int, length: Int)? {
        guard let offset = number(directory.entries[EXIFTag.pictureOffset]),
            let length = number(directory.entries[EXIFTag.pictureLength]), length > 4
        else { return nil }
        return (offset, length)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return text.trimmingWhitespace
    }

    private static func utf16Text(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        var isBigEndian = isBigEndian
        var units: [UInt16] = []
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            index += 2
            let unit = isBigEndian ? first << 8 | second : second << 8 | first
            if unit == 0 { break }
            // A byte order mark overrides the declared order; read in the wrong order it is FFFE.
            if units.isEmpty, unit == 0xFEFF { continue }
            if units.isEmpty, unit == 0xFFFE {
                isBigEndian.toggle()
                continue
            }
            units.append(unit)
        }
        return String(decoding: units, as: UTF16.self).trimmingWhitespace
    }
}
