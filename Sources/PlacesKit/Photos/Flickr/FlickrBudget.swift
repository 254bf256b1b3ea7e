import Synchronization

/// The budgets of API keys: one for each key in this process, since Flickr counts requests by key.
///
/// Flickr allows "under 3600 queries per hour across the whole key":
/// https://www.flickr.com/services/developer/api/
enum FlickrBudget {
    private static let budgets = Mutex<[String: RequestBudget]>([:])

    /// The budget of a key.
    static func shared(for key: FlickrKey) -> RequestBudget {
        budgets.withLock { budgets in
            if let budget = budgets[key.value] { return budget }
            let budget = RequestBudget(limit: 3_600, per: .seconds(3_600))
            budgets[key.value] = budget
            return budget
        }
    }
}
