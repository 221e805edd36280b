# What is found of host code: many small programs in one file a hazard. All of them in the lab.
set(findings ${CMAKE_CURRENT_SOURCE_DIR}/programs/findings.sh $<TARGET_FILE:warpgrade>)
add_test(NAME programs/findings COMMAND ${findings} use_after_free)
add_test(NAME programs/all-findings COMMAND ${findings})
set_tests_properties(programs/findings programs/all-findings PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600)
set_tests_properties(programs/all-findings PROPERTIES LABELS lab)

# Sample programs, run on the simulated card, beside what a card said of each. Two here, all in the lab.
set(samples ${CMAKE_CURRENT_SOURCE_DIR}/programs/samples.sh $<TARGET_FILE:warpgrade>)
add_test(NAME programs/samples COMMAND ${samples} graph_capture managed_list)
add_test(NAME programs/all-samples COMMAND ${samples})
add_test(NAME programs/samples-on-a-card COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/programs/samples.sh card)
add_test(NAME programs/samples-by-a-worker COMMAND ${samples} --engine cuda)
set_tests_properties(programs/samples programs/all-samples programs/samples-on-a-card
    programs/samples-by-a-worker PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 900)
set_tests_properties(programs/all-samples PROPERTIES LABELS lab)
set_tests_properties(programs/samples-on-a-card programs/samples-by-a-worker PROPERTIES LABELS card)
