import Foundation
import PlacesPhotos

/// The cities of the sample world: real names, with one to four parts, and real coordinates.
enum SampleCities {
    struct City: Sendable {
        let name: String
        let coordinate: Coordinate
    }

    static let all: [City] = table.split(separator: "\n").compactMap { line in
        let fields = line.split(separator: "|")
        guard fields.count == 3, let latitude = Double(fields[1]), let longitude = Double(fields[2])
        else { return nil }
        return City(
            name: String(fields[0]),
            coordinate: Coordinate(latitude: latitude, longitude: longitude))
    }

    static let table = """
        Paris, Île-de-France, France|48.857|2.352
        London, England, United Kingdom|51.507|-0.128
        New York, New York, United States|40.713|-74.006
        Tokyo, Tokyo Prefecture, Japan|35.690|139.692
        Berlin, Berlin, Germany|52.520|13.405
        Rome, Lazio, Italy|41.903|12.496
        Barcelona, Catalonia, Spain|41.385|2.173
        San Francisco, California, United States|37.775|-122.419
        Singapore|1.352|103.820
        Sydney, New South Wales, Australia|-33.869|151.209
        Toronto, Ontario, Canada|43.653|-79.383
        Hunters Point, New York, NY, United States|40.742|-73.956
        京都市, 京都府, 日本|35.012|135.768
        Reykjavík, Iceland|64.147|-21.943
        Istanbul, Istanbul, Turkey|41.008|28.978
        Rio de Janeiro, Rio de Janeiro, Brazil|-22.907|-43.173
        Mexico City, Mexico|19.433|-99.133
        Санкт-Петербург, Россия|59.934|30.335
        القاهرة, مصر|30.044|31.236
        Mumbai, Maharashtra, India|19.076|72.878
        Cape Town, Western Cape, South Africa|-33.925|18.424
        Amsterdam, North Holland, Netherlands|52.368|4.904
        Vienna, Vienna, Austria|48.208|16.374
        Prague, Prague, Czech Republic|50.076|14.438
        Lisbon, Lisbon, Portugal|38.722|-9.139
        Dublin, Leinster, Ireland|53.350|-6.260
        Stockholm, Stockholm County, Sweden|59.329|18.069
        Oslo, Oslo, Norway|59.914|10.752
        Copenhagen, Capital Region, Denmark|55.676|12.568
        Helsinki, Uusimaa, Finland|60.170|24.938
        Αθήνα, Αττική, Ελλάδα|37.984|23.728
        Budapest, Central Hungary, Hungary|47.498|19.040
        Kraków, Lesser Poland, Poland|50.065|19.945
        Zürich, Zürich, Switzerland|47.377|8.542
        Brussels, Capital Region of Brussels, Belgium|50.850|4.352
        Bruges, West Flanders, Belgium|51.209|3.225
        서울, 대한민국|37.567|126.978
        Busan, South Korea|35.180|129.076
        北京市, 中国|39.904|116.407
        Shanghai, Shanghai, China|31.230|121.474
        Hong Kong|22.320|114.169
        台北市, 臺灣|25.033|121.565
        กรุงเทพมหานคร, ประเทศไทย|13.756|100.502
        Chiang Mai, Chiang Mai, Thailand|18.788|98.985
        Hanoi, Vietnam|21.028|105.854
        Ubud, Bali, Indonesia|-8.507|115.263
        Kuala Lumpur, Malaysia|3.139|101.687
        Manila, Metro Manila, Philippines|14.600|120.984
        दिल्ली, भारत|28.614|77.209
        Jaipur, Rajasthan, India|26.912|75.787
        Kathmandu, Bagmati, Nepal|27.717|85.324
        Colombo, Western Province, Sri Lanka|6.927|79.861
        Dubai, Dubai, United Arab Emirates|25.205|55.271
        תל אביב, ישראל|32.085|34.782
        Petra, Ma'an, Jordan|30.329|35.444
        Marrakech, Marrakesh-Safi, Morocco|31.629|-7.981
        Fès, Fès-Meknès, Morocco|34.018|-5.008
        Nairobi, Kenya|-1.292|36.822
        Accra, Greater Accra, Ghana|5.604|-0.187
        Lagos, Lagos State, Nigeria|6.524|3.379
        Addis Ababa, Ethiopia|9.030|38.740
        Buenos Aires, Argentina|-34.604|-58.382
        Ushuaia, Tierra del Fuego, Argentina|-54.802|-68.303
        Santiago, Santiago Metropolitan, Chile|-33.449|-70.669
        Valparaíso, Valparaíso, Chile|-33.047|-71.613
        Lima, Lima, Peru|-12.046|-77.043
        Cusco, Cusco, Peru|-13.532|-71.968
        Bogotá, Colombia|4.711|-74.072
        Cartagena, Bolívar, Colombia|10.391|-75.479
        Quito, Pichincha, Ecuador|-0.181|-78.468
        Havana, Ciudad de la Habana, Cuba|23.114|-82.367
        Trinidad, Sancti Spíritus, Cuba|21.802|-79.984
        Auckland, Auckland, New Zealand|-36.849|174.763
        Queenstown, Otago, New Zealand|-45.031|168.663
        Melbourne, Victoria, Australia|-37.814|144.963
        Brisbane, Queensland, Australia|-27.470|153.021
        Montréal, Québec, Canada|45.502|-73.567
        Vancouver, British Columbia, Canada|49.283|-123.121
        Québec, Québec, Canada|46.814|-71.208
        Chicago, Illinois, United States|41.878|-87.630
        Seattle, Washington, United States|47.606|-122.332
        Boston, Massachusetts, United States|42.360|-71.058
        New Orleans, Louisiana, United States|29.951|-90.072
        Los Angeles, California, United States|34.052|-118.244
        Stanford, Santa Clara, California, United States|37.427|-122.170
        Portland, Oregon, United States|45.515|-122.679
        Honolulu, Hawaii, United States|21.307|-157.858
        Washington, District of Columbia, United States|38.907|-77.037
        Oaxaca, Oaxaca, Mexico|17.073|-96.727
        Mérida, Yucatán, Mexico|20.968|-89.592
        São Paulo, São Paulo, Brazil|-23.551|-46.633
        Salvador, Bahia, Brazil|-12.978|-38.502
        Edinburgh, Scotland, United Kingdom|55.953|-3.188
        Cardiff, Wales, United Kingdom|51.482|-3.179
        Camden Town, London, England, United Kingdom|51.539|-0.143
        Oxford, England, United Kingdom|51.752|-1.258
        Lyon, Auvergne-Rhône-Alpes, France|45.764|4.836
        Marseille, Provence-Alpes-Côte d'Azur, France|43.297|5.370
        Montmartre, Paris, Île-de-France, France|48.887|2.341
        Bordeaux, Nouvelle-Aquitaine, France|44.838|-0.579
        Hamburg, HH, Germany|53.551|9.994
        München, Bayern, Deutschland|48.135|11.582
        Köln, Nordrhein-Westfalen, Deutschland|50.938|6.960
        Dresden, Saxony, Germany|51.050|13.738
        Florence, Tuscany, Italy|43.770|11.256
        Venice, Veneto, Italy|45.440|12.316
        Naples, Campania, Italy|40.852|14.268
        Palermo, Sicily, Italy|38.116|13.361
        Madrid, Madrid, Spain|40.417|-3.704
        Sevilla, Andalusia, Spain|37.389|-5.984
        Granada, Andalusia, Spain|37.177|-3.599
        Valencia, Valencia, Spain|39.470|-0.376
        Porto, Norte, Portugal|41.158|-8.629
        Salzburg, Salzburg, Austria|47.810|13.055
        Bern, Bern, Switzerland|46.948|7.447
        Warsaw, Masovia, Poland|52.230|21.012
        Bergen, Vestland, Norway|60.391|5.322
        Göteborg, Västra Götaland, Sweden|57.709|11.975
        Dubrovnik, Dubrovnik-Neretva, Croatia|42.650|18.094
        Ljubljana, Slovenia|46.056|14.506
        Bucharest, Romania|44.427|26.103
        Tallinn, Harju, Estonia|59.437|24.754
        Valletta, Malta|35.899|14.514
        Monaco|43.738|7.425
        Osaka, Osaka Prefecture, Japan|34.694|135.502
        Sapporo, Hokkaido, Japan|43.062|141.354
        """
}
