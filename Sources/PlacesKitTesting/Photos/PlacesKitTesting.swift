// Who tests with photos tests with a graph, too.

@_exported public import PlacesGraphTesting
