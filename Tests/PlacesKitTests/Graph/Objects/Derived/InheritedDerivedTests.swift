import PlacesKit
import PlacesKitTesting
import Testing

/// What a subclass derives over relationships that it inherits.
@Suite struct InheritedDerivedTests {
    class Team: ManagedObject {
        @Relationship var players: ObjectSet<Player>
        @Relationship(inverse: \Coach.teams) var coach: Coach?
    }

    final class Pro: Team {
        @Derived(sum: \Pro.players, \Player.goals) var goals: Int
        @Derived(countDistinct: \Pro.players, \Player.goals) var results: Int
        @DerivedObject(max: \Pro.players, by: \Player.goals) var best: Player?
        @Derived(\Pro.coach?.name) var coachName: String?
    }

    final class Amateur: Team {}

    final class Player: ManagedObject {
        @Attribute var goals = 0
        @Relationship(inverse: \Team.players) var team: Team?
    }

    final class Coach: ManagedObject {
        @Attribute var name = ""
        @Relationship var teams: ObjectSet<Team>
    }

    let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [
                Team.self, Pro.self, Amateur.self, Player.self, Coach.self,
            ]))
    }

    @Test func `an object of another class is not updated by what the subclass derives`() throws {
        let (team, player) = (Amateur(context: context), Player(context: context))
        (player.team, team.coach) = (team, Coach(context: context))
        try context.save()
        player.goals = 3
        team.coach?.name = "new"
        #expect(!context.updatedObjects.contains(team) && context.updatedObjects.count == 2)
        try context.checkIntegrity()
        try context.save()
        context.delete(player)
        #expect(context.updatedObjects == [team])
        #expect(team.changedValues().keys.sorted() == ["players"])
        try context.checkIntegrity()
    }

    @Test func `a member that moves between classes counts where that is derived`() throws {
        let (pro, amateur) = (Pro(context: context), Amateur(context: context))
        let player = Player(context: context)
        player.team = amateur
        player.goals = 3
        try context.save()
        pro.players.insert(player)
        #expect(pro.goals == 3 && pro.results == 1 && pro.best === player)
        player.goals = 4
        #expect(pro.goals == 4)
        try context.checkIntegrity()
        amateur.players.insert(player)
        #expect(pro.goals == 0 && pro.results == 0 && pro.best == nil)
        try context.checkIntegrity()
        context.rollback()
        #expect(pro.goals == 0 && player.team === amateur)
        try context.checkIntegrity()
    }
}
