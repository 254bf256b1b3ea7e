import Foundation

extension PhotoRecord {
    /// Reads a page from a reply with details; nil if it is not a photo that may be shown.
    init?(commons page: CommonsPage, language: String) {
        guard let identifier = page["pageid"]?.nonEmptyText,
            let title = page["title"]?.nonEmptyText, let info = page.info,
            let mime = info["mime"].nonEmptyText, CommonsFile.isPhoto(mime: mime)
        else { return nil }
        let metadata = CommonsMetadata(values: info["extmetadata"], language: language)
        let variants = CommonsVariants.variants(ofPage: page)
        guard let license = metadata.license, !variants.isEmpty else { return nil }
        let name = metadata.line("ObjectName")
        let owner = PhotoOwner(
            identifier: info["user"].nonEmptyText ?? "",
            name: metadata.author ?? info["user"].nonEmptyText ?? "")
        self.init(
            identifier: identifier,
            title: name ?? CommonsFile.name(title: title),
            caption: metadata.html("ImageDescription") ?? "",
            owner: owner,
            uploaded: page.uploaded,
            taken: metadata.html("DateTimeOriginal").flatMap(CommonsDate.taken),
            coordinate: Coordinate(commons: page) ?? metadata.coordinate,
            license: license,
            pageURL: CommonsVariants.address(info["descriptionurl"]),
            creditLine: [
                metadata.line("Attribution") ?? owner.name, license.name, "via Wikimedia Commons",
            ].filter { !$0.isEmpty }.joined(separator: ", "),
            variants: variants)
    }
}

extension Coordinate {
    /// Reads the coordinates of a page: the primary one, else the first.
    fileprivate init?(commons page: CommonsPage) {
        let all = (page["coordinates"]?.elements ?? []).filter {
            ($0["globe"].text ?? "earth") == "earth"
        }
        guard let chosen = all.first(where: { $0["primary"].bool == true }) ?? all.first else {
            return nil
        }
        self.init(measured: chosen["lat"].double, chosen["lon"].double)
    }
}

/// The HTML texts from the description page of a file.
private struct CommonsMetadata {
    let values: LenientJSON
    let language: String

    /// The HTML of a value; nil if it is missing or empty.
    func html(_ name: StaticString) -> String? {
        let value = values[name]["value"]
        guard value.isObject else { return value.nonEmptyText }
        // If there are several languages, the preferred one, else the first.
        let translations = value.members.filter { $0.name != "_type" }
        let chosen = translations.first { $0.name == language } ?? translations.first
        return chosen?.value.nonEmptyText
    }

    /// A value as one line of plain text.
    func line(_ name: StaticString) -> String? {
        guard let html = html(name) else { return nil }
        let words = PlainText.rendering(html: html).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    var author: String? { line("Artist") ?? line("Attribution") ?? line("Credit") }

    /// The terms of use; a file without them should not be shown.
    var license: PhotoLicense? {
        guard let name = line("LicenseShortName") ?? line("UsageTerms") else { return nil }
        return PhotoLicense(
            identifier: line("License") ?? name, name: name,
            url: CommonsVariants.address(values["LicenseUrl"]["value"]))
    }

    var coordinate: Coordinate? {
        Coordinate(
            measured: values["GPSLatitude"]["value"].double,
            values["GPSLongitude"]["value"].double)
    }
}
