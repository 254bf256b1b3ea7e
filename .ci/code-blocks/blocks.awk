# Makes a file of each block of Swift in an article or in a source file's comments: declarations become members of a
# type, managed properties those of a class, and all else the body of a function. `…` stands for what a reader adds.
# What an article has declared is known to its later blocks.
BEGIN {
    while (prelude != "" && (getline line < prelude) > 0) add(line, prelude, ++lines, "outer")
}
FNR == 1 { is_source = FILENAME ~ /\.swift$/ }
{
    text = $0
    if (is_source && !sub(/^ *\/\/\/ ?/, "", text)) next
}
text ~ /^ *```/ && inside { write_block(); inside = 0; next }
text ~ /^ *```swift *$/ { inside = 1; match(text, /^ */); indent = RLENGTH; next }
inside { add(substr(text, indent + 1), FILENAME, FNR, "inner") }
END {
    if (inside) print FILENAME ": a block of code does not end." > "/dev/stderr"
    exit inside
}

function is_declaration(code) {
    return code ~ /^(@Test|((private|final|nonisolated(\([a-z]+\))?) )*(class|struct|enum|func) )/
}

# A line belongs to what the statement around it began with.
function add(line, file, number, scope,    code, kind) {
    code = line
    gsub(/"[^"]*"|\/\/.*/, "", code)
    if (depth == 0 && !awaits_body) {
        if (code ~ /^(@testable )?import /) kind = "imports"
        else if (code ~ /^(@Attribute|@Relationship|@Derived|override)/) kind = "properties"
        else if (scope == "outer" || is_declaration(code)) kind = "declarations"
        else kind = "statements"
        if (kind != current || file != place) {
            parts[scope, kind] = parts[scope, kind] "#sourceLocation(file: \"" file "\", line: " number ")\n"
        }
        current = kind
        place = file
        awaits_body = kind == "declarations" && scope == "inner"
    }
    if (code ~ /\{/) awaits_body = 0
    depth += gsub(/[{(\[]/, "", code) - gsub(/[})\]]/, "", code)
    gsub(/…/, "fatalError()", line)
    parts[scope, current] = parts[scope, current] line "\n"
}

function write_block(    name, path) {
    name = "Block" number "_" ++blocks
    path = output "-" blocks ".swift"
    print parts["outer", "imports"] parts["inner", "imports"] > path
    print "import Foundation\nimport PlacesKit\nimport PlacesKitTesting\nimport Testing" > path
    print "@MainActor struct " name " {\n" parts["outer", "declarations"] > path
    print "@MainActor struct Inner {\n" parts["inner", "declarations"] > path
    if (("inner", "properties") in parts) {
        print "final class Members: ManagedObject {\n" parts["inner", "properties"] "}" > path
    }
    print "func block() async throws {\n" parts["inner", "statements"] "}\n}\n}" > path
    close(path)
    if (!is_source) {
        parts["outer", "declarations"] = parts["outer", "declarations"] parts["inner", "declarations"]
    }
    delete parts["inner", "imports"]; delete parts["inner", "declarations"]
    delete parts["inner", "properties"]; delete parts["inner", "statements"]
    current = place = ""
    depth = awaits_body = 0
}
