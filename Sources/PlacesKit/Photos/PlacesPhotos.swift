// Reading replies and keeping pictures throws errors of files and of JSON, so callers need them.

@_exported public import PlacesBase
