import Foundation
import PlacesKit
import Testing

@Suite struct XMPTests {
    static let packet = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- <dc:title>no</dc:title> -->
        <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <r:Description r:about="" xmlns:d="http://purl.org/dc/elements/1.1/"
          xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:p="http://ns.adobe.com/photoshop/1.0/"
          xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
          exif:GPSLatitude="33,51.54S" exif:GPSLongitude='70,40,12W' tiff:Orientation="8"
          exif:DateTimeOriginal="2018-08-25T16:34:33.25+02:00" p:City="Paris &amp; around">
         <p:Country>France</p:Country>
         <d:title><r:Alt><r:li xml:lang="x-default">A &lt;title&gt;</r:li>
           <r:li xml:lang="fr">Un titre</r:li></r:Alt></d:title>
         <d:description><r:Alt><r:li xml:lang="x-default"><![CDATA[ 1 < 2 ]]></r:li></r:Alt></d:description>
         <d:creator><r:Seq><r:li>Ada</r:li><r:li>Bob</r:li></r:Seq></d:creator>
         <d:subject><r:Bag><r:li>river</r:li><r:li/><r:li>night</r:li></r:Bag></d:subject>
        </r:Description></r:RDF></x:xmpmeta>
        """

    /// A packet that says when a photo was taken.
    private static func taken(_ text: String) -> String {
        #"<a exif:DateTimeOriginal="\#(text)"/>"#
    }

    private func metadata(xmp: String, exif: EXIFBuilder? = nil) throws -> PhotoMetadata {
        var file = JPEGBuilder()
        if let exif { file.add(exif: exif) }
        file.add(xmp: xmp)
        return try #require(PhotoMetadata(jpeg: Data(file.bytes)))
    }

    @Test func `properties are read as attributes, elements and lists, whatever their prefix`()
        throws
    {
        let metadata = try metadata(xmp: Self.packet)
        #expect(metadata.title == "A <title>")
        #expect(metadata.caption == "1 < 2")
        #expect(metadata.artist == "Ada")
        #expect(metadata.keywords == ["river", "night"])
        #expect(metadata.placeNames == PlaceNames(locality: "Paris & around", country: "France"))
        #expect(metadata.orientation == .left)
        #expect(metadata.taken?.description == "2018-08-25 16:34:33")
        #expect(metadata.secondsFromGMT == 7_200 && metadata.nanosecond == 250_000_000)
        let coordinate = try #require(metadata.coordinate)
        #expect(abs(coordinate.latitude + 33.859) < 1e-9)
        #expect(abs(coordinate.longitude + 70.67) < 1e-9)
    }

    @Test func `EXIF goes before XMP, which adds what is missing`() throws {
        var exif = EXIFBuilder()
        exif.main = [0x010E: .text("from EXIF"), 0x0112: .short(3)]
        exif.exif[0x9003] = .text("2018:08:25 16:34:33")
        let same = try metadata(xmp: Self.packet, exif: exif)
        #expect(same.caption == "from EXIF" && same.title == "A <title>")
        #expect(same.orientation == .down)
        #expect(same.secondsFromGMT == 7_200, "the zone of the same moment")

        exif.exif[0x9003] = .text("2018:08:26 16:34:33")
        let other = try metadata(xmp: Self.packet, exif: exif)
        #expect(other.taken?.day == 26)
        #expect(other.secondsFromGMT == nil, "the zone of another moment is not its own")
    }

    @Test func `the date of the shot counts, whoever noted it, before those of later changes`()
        throws
    {
        var exif = EXIFBuilder()
        exif.main[0x0132] = .text("2020:01:01 00:00:00")
        exif.exif[0x9010] = .text("+09:00")
        let shot = try metadata(xmp: Self.packet, exif: exif)
        #expect(shot.taken?.description == "2018-08-25 16:34:33")
        #expect(shot.secondsFromGMT == 7_200 && shot.nanosecond == 250_000_000)

        exif.exif[0x9004] = .text("2019:05:06 07:08:09")
        let scanned = try metadata(xmp: Self.packet, exif: exif)
        #expect(scanned.taken?.year == 2018, "nor is it the date of a scanner")
        let digitized = try metadata(xmp: "<a xmp:ModifyDate='2021-01-01'/>", exif: exif)
        #expect(digitized.taken?.year == 2019)
    }

    @Test func `the zone and fraction of a date may stand beside it`() throws {
        let metadata = try metadata(
            xmp: """
                <a exif:DateTimeOriginal="2018-08-25T16:34:33" exif:OffsetTimeOriginal="+02:00" \
                exif:SubSecTimeOriginal="25"/>
                """)
        #expect(metadata.takenInstant?.timeIntervalSince1970 == 1_535_207_673.25)
    }

    @Test(arguments: [
        ("2018", "2018"), ("2018-08", "2018-08"), ("2018-08-25", "2018-08-25"),
        ("2018-08-25T16:34Z", "2018-08-25 16:34"), ("2018-08-25T16:34:33", "2018-08-25 16:34:33"),
    ])
    func `a date ends where its maker knew no more`(text: String, date: String) throws {
        #expect(try metadata(xmp: Self.taken(text)).taken?.description == date)
    }

    @Test(
        arguments: [
            ("2018-08-25T16:34:60Z", "2018-08-25 16:34", 0),
            ("2018-08-25T24:00:00", "2018-08-25", nil),
            ("2018-08-25 16:34:33", "2018-08-25 16:34:33", nil),
            ("2018:08:25 16:34:33", "2018-08-25 16:34:33", nil),
            ("2018-08-25T16:34:33 +02:00", "2018-08-25 16:34:33", 7_200),
            ("2018-08-25T16", "2018-08-25", nil), ("2018-08-25T1:2:3:4", "2018-08-25", nil),
            ("2018-08-00", "2018-08", nil), ("2018-00-00T00:00:00", "2018", nil),
        ] as [(String, String, Int?)])
    func `of a date in another form, or with parts that cannot be, the rest is kept`(
        text: String, date: String, seconds: Int?
    ) throws {
        let metadata = try metadata(xmp: Self.taken(text))
        #expect(metadata.taken?.description == date)
        #expect(metadata.secondsFromGMT == seconds)
    }

    @Test(arguments: [
        "", "T", "2018-08T10:00", "x", "2018--1", "0000-00-00", "2018-00-05", "2018-13-01",
    ])
    func `a date that is none is none`(text: String) throws {
        #expect(try metadata(xmp: Self.taken(text)).taken == nil)
    }

    @Test func `EXIF's orientation goes before that of XMP, also if it says upright`() throws {
        var exif = EXIFBuilder()
        exif.main = [0x0112: .short(1)]
        #expect(try metadata(xmp: Self.packet, exif: exif).orientation == .up)
    }

    @Test func `a fraction is that of the same moment, also where the date has its own zone`()
        throws
    {
        func shot(_ zone: String, beside created: String) throws -> PhotoMetadata {
            var exif = EXIFBuilder()
            exif.exif = [0x9003: .text("2018:08:25 16:34:33"), 0x9011: .text(zone)]
            return try metadata(xmp: "<a photoshop:DateCreated='\(created)'/>", exif: exif)
        }
        let same = try shot("+02:00", beside: "2018-08-25T16:34:33.25+02:00")
        #expect(same.secondsFromGMT == 7_200 && same.nanosecond == 250_000_000)
        let local = try shot("+02:00", beside: "2018-08-25T16:34:33.25")
        #expect(local.secondsFromGMT == 7_200 && local.nanosecond == 250_000_000)
        let elsewhere = try shot("+02:00", beside: "2018-08-25T16:34:33.25+03:00")
        #expect(elsewhere.secondsFromGMT == 7_200 && elsewhere.nanosecond == nil)
    }

    @Test func `EXIF goes before XMP wherever it stands`() throws {
        var exif = EXIFBuilder()
        exif.main = [0x010E: .text("from EXIF"), 0x0112: .short(3)]
        var file = JPEGBuilder()
        file.add(xmp: Self.packet)
        file.add(exif: exif)
        let metadata = try #require(PhotoMetadata(jpeg: Data(file.bytes)))
        #expect(metadata.caption == "from EXIF" && metadata.orientation == .down)
        #expect(metadata.title == "A <title>")
    }

    @Test func `of a text in several languages the default counts`() throws {
        let packet = #"""
            <a xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <d:title><r:Alt><r:li xml:lang="de">Ein Titel</r:li><r:li xml:lang="X-Default">A title</r:li></r:Alt></d:title></a>
            """#
        #expect(try metadata(xmp: packet).title == "A title")
    }

    @Test func `what tells of the files that a photo was made from is not about the photo`() throws
    {
        let packet = """
            <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:exif="http://ns.adobe.com/exif/1.0/"
            xmlns:m="http://ns.adobe.com/xap/1.0/mm/" xmlns:d="http://purl.org/dc/elements/1.1/"><r:Description>
            <m:Pantry><r:Bag><r:li exif:GPSLatitude="33,51.54S" exif:GPSLongitude="70,40,12W"><d:title><r:Alt>
            <r:li xml:lang="x-default">A part</r:li></r:Alt></d:title><d:subject/></r:li></r:Bag></m:Pantry>
            <d:title>The whole</d:title></r:Description></r:RDF>
            """
        let metadata = try metadata(xmp: packet)
        #expect(metadata.title == "The whole" && metadata.coordinate == nil)
    }

    @Test func `default texts come before others, each in the order of the packet`() throws {
        let packet = """
            <dc:subject><rdf:Bag><rdf:li>fleuve</rdf:li><rdf:li xml:lang="x-default">river</rdf:li>
            <rdf:li>nuit</rdf:li><rdf:li xml:lang="x-default">night</rdf:li></rdf:Bag></dc:subject>
            """
        #expect(try metadata(xmp: packet).keywords == ["river", "night", "fleuve", "nuit"])
    }

    @Test func `a prefix means inside an element what it meant there, and outside what it did`()
        throws
    {
        let packet = """
            <a xmlns:d="http://purl.org/dc/elements/1.1/"><d:title><b xmlns:d="elsewhere"/>A title</d:title></a>
            """
        #expect(try metadata(xmp: packet).title == "A title")
    }
}
