extension FormatNode {
    /// A variable where it stands for a value that is given later.
    struct FreeVariable {
        var name: String
        var column: Int
        /// Whether the value is to be the two bounds of `BETWEEN`.
        var isBounds: Bool
    }

    /// The variables that stand for values, in their order.
    ///
    /// What stands for a member of a `SUBQUERY` around it is none, though it may have the name of one.
    var freeVariables: [FreeVariable] {
        var variables: [FreeVariable] = []
        appendFreeVariables(to: &variables, members: [])
        return variables
    }

    private func appendFreeVariables(
        to variables: inout [FreeVariable], members: Set<String>, isBounds: Bool = false
    ) {
        switch kind {
        case .path(let path):
            path.appendFreeVariable(to: &variables, members, isBounds && path.steps.isEmpty)
        case .subquery(let path, let variable, let test):
            path.appendFreeVariable(to: &variables, members, false)
            test.appendFreeVariables(to: &variables, members: members.union([variable]))
        case .comparison(let comparison):
            comparison.left.appendFreeVariables(to: &variables, members: members)
            comparison.right.appendFreeVariables(
                to: &variables, members: members, isBounds: comparison.operation == .between)
        default:
            for part in children { part.appendFreeVariables(to: &variables, members: members) }
        }
    }
}

extension FormatPath {
    fileprivate func appendFreeVariable(
        to variables: inout [FormatNode.FreeVariable], _ members: Set<String>, _ isBounds: Bool
    ) {
        guard let variable, !members.contains(variable) else { return }
        variables.append(.init(name: variable, column: variableColumn, isBounds: isBounds))
    }
}
