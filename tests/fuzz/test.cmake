# Fuzzing: with -DWARPGRADE_FUZZ=ON (clang 15 or later) the targets are libFuzzer programs, see
# tests/fuzz/run.sh. In every build they are also plain programs that replay the corpus and what
# fuzzing has found, as tests.
option(WARPGRADE_FUZZ "Build the libFuzzer targets; needs clang" OFF)
set(fuzz_inputs_ptx ptx)
set(fuzz_inputs_sim ptx)
set(fuzz_inputs_yaml yaml)
set(fuzz_inputs_wire wire)
set(fuzz_inputs_course course)
set(fuzz_inputs_card card)
foreach(target ptx sim yaml wire course)
    set(fuzz_links_${target} warpgrade_grader warpgrade_sandbox warpgrade_simgpu)
endforeach()
set(fuzz_links_card warpgrade_card)
if(WARPGRADE_FUZZ)
    target_compile_options(warpgrade_flags INTERFACE -fsanitize=fuzzer-no-link
        -Wno-unknown-warning-option)
endif()
foreach(target ptx sim yaml wire course card)
    set(folder ${fuzz_inputs_${target}})
    add_executable(replay_${target} fuzz/fuzz_${target}.c fuzz/replay.c)
    target_link_libraries(replay_${target} PRIVATE ${fuzz_links_${target}})
    add_test(NAME fuzz/replay-${target} COMMAND replay_${target}
        ${CMAKE_CURRENT_LIST_DIR}/corpus/${folder} ${CMAKE_CURRENT_LIST_DIR}/regressions/${folder})
    if(WARPGRADE_FUZZ)
        add_executable(fuzz_${target} fuzz/fuzz_${target}.c)
        target_link_libraries(fuzz_${target} PRIVATE ${fuzz_links_${target}})
        target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
    endif()
endforeach()
# Stored reports: the golden ones, and these with values changed.
file(GLOB golden_reports CONFIGURE_DEPENDS golden/reports/*.json)
list(FILTER golden_reports EXCLUDE REGEX "/[^/.]*\\.[^/]*\\.json$") # other formats that are JSON
add_executable(replay_report fuzz/fuzz_report.c fuzz/replay.c)
add_executable(random_reports fuzz/fuzz_report.c fuzz/random_reports.c)
foreach(program replay_report random_reports)
    target_link_libraries(${program} PRIVATE warpgrade_reports)
endforeach()
add_test(NAME fuzz/replay-report COMMAND replay_report ${golden_reports}
    ${CMAKE_CURRENT_LIST_DIR}/corpus/report ${CMAKE_CURRENT_LIST_DIR}/regressions/report)
set_tests_properties(fuzz/replay-report PROPERTIES ENVIRONMENT WARPGRADE_MUST_LOAD=1)
add_test(NAME fuzz/random-reports COMMAND random_reports 500 ${golden_reports})
if(WARPGRADE_FUZZ)
    add_executable(fuzz_report fuzz/fuzz_report.c)
    target_link_libraries(fuzz_report PRIVATE warpgrade_reports)
    target_link_options(fuzz_report PRIVATE -fsanitize=fuzzer)
endif()
# Courses with words changed, where there is no libFuzzer.
add_executable(random_courses fuzz/fuzz_course.c fuzz/random_texts.c)
target_link_libraries(random_courses PRIVATE warpgrade_course)
file(GLOB courses CONFIGURE_DEPENDS fuzz/corpus/course/*)
add_test(NAME fuzz/random-courses COMMAND random_courses 2000 ${courses})
# Kernels made of bytes, launched as a grade does.
add_executable(random_kernels fuzz/random_kernels.c fuzz/fuzz_kernel.c fuzz/kernel_text.c
    fuzz/fuzz_result.c support/same_results.c)
target_link_libraries(random_kernels PRIVATE warpgrade_grader)
add_test(NAME fuzz/random-kernels COMMAND random_kernels 150)
add_executable(replay_kernel fuzz/fuzz_kernel.c fuzz/kernel_text.c fuzz/fuzz_result.c
    support/same_results.c fuzz/replay.c)
target_link_libraries(replay_kernel PRIVATE warpgrade_grader)
add_test(NAME fuzz/replay-kernel COMMAND replay_kernel ${CMAKE_CURRENT_LIST_DIR}/corpus/kernel
    ${CMAKE_CURRENT_LIST_DIR}/regressions/kernel)
set_tests_properties(fuzz/random-kernels fuzz/replay-kernel PROPERTIES LABELS fuzz)
target_sources(replay_sim PRIVATE fuzz/fuzz_result.c support/same_results.c)
if(WARPGRADE_FUZZ)
    target_sources(fuzz_sim PRIVATE fuzz/fuzz_result.c support/same_results.c)
    add_executable(fuzz_kernel fuzz/fuzz_kernel.c fuzz/kernel_text.c fuzz/fuzz_result.c
        support/same_results.c)
    target_link_libraries(fuzz_kernel PRIVATE warpgrade_grader)
    target_link_options(fuzz_kernel PRIVATE -fsanitize=fuzzer)
endif()
# Random arithmetic: on a card against the simulated GPU, elsewhere against what a card said.
file(GLOB arithmetic_sources CONFIGURE_DEPENDS fuzz/arithmetic/*.c)
add_executable(random_arithmetic ${arithmetic_sources} gpu/driver.c)
target_link_libraries(random_arithmetic PRIVATE warpgrade_sandbox warpgrade_simgpu ${CMAKE_DL_LIBS})
add_test(NAME fuzz/arithmetic COMMAND random_arithmetic --folder ${CMAKE_CURRENT_BINARY_DIR}
    --expected ${CMAKE_CURRENT_LIST_DIR}/arithmetic/expected.txt)
add_test(NAME fuzz/arithmetic-on-a-card COMMAND random_arithmetic --cuda --seed 2 --kernels 2000
    --folder ${CMAKE_CURRENT_BINARY_DIR})
set_tests_properties(fuzz/arithmetic-on-a-card PROPERTIES LABELS card SKIP_RETURN_CODE 77)
add_test(NAME fuzz/arithmetic-finds-a-difference COMMAND
    ${CMAKE_CURRENT_LIST_DIR}/arithmetic/check_expected.sh $<TARGET_FILE:random_arithmetic>
    ${CMAKE_CURRENT_LIST_DIR}/arithmetic/expected.txt)
# Inputs that fail at the first check test nothing more.
foreach(target yaml wire course)
    add_test(NAME fuzz/corpus-${target}-loads COMMAND replay_${target}
        ${CMAKE_CURRENT_LIST_DIR}/corpus/${target})
    set_tests_properties(fuzz/corpus-${target}-loads PROPERTIES ENVIRONMENT
        WARPGRADE_MUST_LOAD=1)
endforeach()
add_executable(fuzz_dictionary fuzz/dictionary.c)
target_link_libraries(fuzz_dictionary PRIVATE warpgrade_simgpu)
add_executable(make_corpus fuzz/make_corpus.c)
target_link_libraries(make_corpus PRIVATE warpgrade_sandbox)
add_executable(make_wire fuzz/make_wire.c)
target_link_libraries(make_wire PRIVATE warpgrade_sandbox)
# Peaks of memory mean nothing under a sanitizer.
add_executable(bounded fuzz/bounded.c)
target_link_libraries(bounded PRIVATE warpgrade_sandbox warpgrade_simgpu)
if(NOT WARPGRADE_SANITIZE)
    add_test(NAME fuzz/bounded-memory COMMAND bounded)
endif()
