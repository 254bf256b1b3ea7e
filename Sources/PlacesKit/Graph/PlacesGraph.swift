// The errors of files and of JSON are errors of documents.

@_exported public import PlacesBase
