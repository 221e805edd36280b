#!/bin/sh
# The JSON among the golden reports against the schemas that stand beside the writers. 77: skipped.
if ! python3 -c 'import jsonschema' 2>/dev/null; then
    echo "skipped: python3-jsonschema is not installed"
    exit 77
fi
exec python3 - "$1" <<'EOF'
import glob, json, os, sys
import jsonschema

root = sys.argv[1]
failed = checked = 0
for schema_name, pattern in (("report", "reports/*.json"), ("sim", "sim/*.json"),
                             ("profile", "profile/*.json")):
    with open(os.path.join(root, "reports", schema_name + ".schema.json")) as file:
        schema = json.load(file)
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    for path in sorted(glob.glob(os.path.join(root, "tests/golden", pattern))):
        with open(path) as file:
            document = json.load(file)
        checked += 1
        for error in validator.iter_errors(document):
            where = "/".join(str(part) for part in error.absolute_path)
            print(f"{path}: {where}: {error.message}")
            failed += 1
print(f"{checked} documents checked, {failed} errors")
sys.exit(1 if failed or not checked else 0)
EOF
