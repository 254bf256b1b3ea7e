import Testing

@testable import PlacesGraph

@Suite struct BlobBalanceTests {
    @Test func `lengths that no disk has are added up without an end of the program`() {
        var balance = BlobBalance()
        for _ in 0..<10 {
            balance += BlobBalance(owned: .max, lost: .max)
            #expect(balance.owned > 1 << 60 && balance.lost > 1 << 60)
        }
        balance += BlobBalance(owned: .min, lost: 0)
        balance += BlobBalance(owned: .min, lost: 0)
        #expect(balance.owned < 0)
        balance += BlobBalance(owned: 1, lost: 1)
        // Twice as many can still be added to what a snapshot has.
        #expect(!(balance.lost * 2).addingReportingOverflow(1 << 60).overflow)
    }
}
