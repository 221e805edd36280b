#!/bin/sh
# The JSON among the golden reports against the schemas that stand beside the writers, and those of other
# formats against the schemas of their owners. 77: skipped.
. "$1/tests/support/python.sh"
if ! python=$(python_with jsonschema); then
    echo "skipped: python3-jsonschema is not installed"
    exit 77
fi
exec "$python" - "$1" <<'EOF'
import glob, json, os, sys
import jsonschema

root = sys.argv[1]
failed = checked = 0
for schema_name, pattern in (("reports/report.schema.json", "reports/*.json"),
                             ("reports/sim.schema.json", "sim/*.json"),
                             ("reports/profile.schema.json", "profile/*.json"),
                             ("reports/class/class.schema.json", "class/*.json"),
                             ("tests/golden/schemas/sarif-2.1.0.json", "reports/*.sarif")):
    with open(os.path.join(root, schema_name)) as file:
        schema = json.load(file)
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    paths = sorted(glob.glob(os.path.join(root, "tests/golden", pattern)))
    paths = [path for path in paths if os.path.basename(path).count(".") == 1] # pass.gitlab.json is none
    failed += not paths
    for path in paths:
        with open(path) as file:
            document = json.load(file)
        checked += 1
        if schema_name == "reports/report.schema.json": # as `grade --times` writes it
            for item in [document, *document["cases"]] if "cases" in document else []:
                item["wall_ms"] = 12.5
        for error in validator.iter_errors(document):
            where = "/".join(str(part) for part in error.absolute_path)
            print(f"{path}: {where}: {error.message}")
            failed += 1
print(f"{checked} documents checked, {failed} errors")
sys.exit(1 if failed or not checked else 0)
EOF
