# What is found of host code: many small programs in one file a hazard. All of them in the lab.
set(findings ${CMAKE_CURRENT_SOURCE_DIR}/programs/findings.sh $<TARGET_FILE:warpgrade>)
add_test(NAME programs/findings COMMAND ${findings} use_after_free)
add_test(NAME programs/all-findings COMMAND ${findings})
set_tests_properties(programs/findings programs/all-findings PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
set_tests_properties(programs/all-findings PROPERTIES LABELS lab)
