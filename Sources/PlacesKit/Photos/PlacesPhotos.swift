// The errors of files and of JSON are errors of what keeps pictures and reads replies.

@_exported public import PlacesBase
