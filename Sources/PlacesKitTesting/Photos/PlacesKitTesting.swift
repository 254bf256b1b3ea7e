// Tests of photos also test graphs.

@_exported public import PlacesGraphTesting
