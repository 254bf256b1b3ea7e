// `import PlacesKit` provides the graph, the photos, the sample world and the library built on
// them.

@_exported public import PlacesGraph
@_exported public import PlacesPhotos
@_exported public import PlacesSamples
