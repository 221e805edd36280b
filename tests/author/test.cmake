# Drafts of exercises: what is asked where the kernel does not say, and what stands in the files. Survivors with the case that would catch them.
add_test(NAME author/new COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/new.sh $<TARGET_FILE:warpgrade>
    ${CMAKE_CURRENT_BINARY_DIR}/author)
add_test(NAME author/host-survivors
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/host_survivors.sh $<TARGET_FILE:warpgrade>)
set_tests_properties(author/host-survivors PROPERTIES LABELS lab TIMEOUT 900 SKIP_RETURN_CODE 77)
add_test(NAME author/survivors COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/survivors.sh
    $<TARGET_FILE:warpgrade> ${CMAKE_CURRENT_SOURCE_DIR}/exercises/fixtures)
