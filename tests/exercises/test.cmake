# Every exercise is proved: the reference and the tuned kernel pass, the skeleton, kernels that do
# nothing and every mutant fail for the stated reason. One test an exercise, so that ctest -j helps.
file(GLOB exercise_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/exercises/*/exercise.yaml)
foreach(exercise_file ${exercise_files})
    get_filename_component(exercise ${exercise_file} DIRECTORY)
    get_filename_component(exercise ${exercise} NAME)
    add_test(NAME exercises/${exercise}
        COMMAND warpgrade validate --seed 20260711 ${exercise}
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(exercises/${exercise} PROPERTIES LABELS exercises)
endforeach()
