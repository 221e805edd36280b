set(closed_folder "fake_card/libcuda.so.1 stands in a folder that is closed")
# A driver without a card (fake_card.c), for tests of sessions and of what stands on them.
add_library(fake_card SHARED cuda/fake_card.c cuda/fake_program.c cuda/fake_array.c)
set_target_properties(fake_card PROPERTIES PREFIX "" OUTPUT_NAME libcuda SUFFIX .so.1
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_card)
foreach(name session cards measure)
    target_compile_definitions(test_cuda_${name} PRIVATE FAKE_CARD_FOLDER="${CMAKE_CURRENT_BINARY_DIR}/fake_card")
    add_dependencies(test_cuda_${name} fake_card)
    # Without namespaces workers cannot reach a driver in a home that is closed to other users.
    set_tests_properties(unit/cuda/${name} PROPERTIES SKIP_REGULAR_EXPRESSION "${closed_folder}")
endforeach()
