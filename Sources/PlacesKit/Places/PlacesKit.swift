// What one imports as PlacesKit is the graph, the photos, the sample world, and the domain on top of them.

@_exported public import PlacesGraph
@_exported public import PlacesPhotos
@_exported public import PlacesSamples
