import PlacesGraph

extension PlacesLibrary {
    /// Photos as every list shows them: by title, description and tags they are searched.
    func photoList(
        _ request: FetchRequest<Photo>, sectionBy section: PartialKeyPath<Photo>? = nil,
        subtitle: PartialKeyPath<Photo> = \.takenBy?.name
    ) throws -> ListController<Photo> {
        try ListController(
            request, sectionBy: section, title: \.title, subtitle: subtitle,
            thumbnail: \.thumbnail, searching: [\.title, \.photoDescription, \.tagLines],
            in: context)
    }
}
