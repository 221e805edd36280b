# Every exercise is proved: the reference and the tuned kernel pass, the skeleton, kernels that do
# nothing and every mutant fail for the stated reason. One test an exercise, so that ctest -j helps.
# Every day --brief, which grades what is to fail no further than its row needs, with one NVRTC an
# exercise (prove.c); the whole proof, which an author makes by the program, is a test of `lab`.
add_executable(prove exercises/prove.c support/compiler.c)
target_link_libraries(prove PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
target_link_options(prove PRIVATE -Wl,--wrap=build_run_job)
set_target_properties(prove PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}) # beside the workers
add_dependencies(prove warpgrade-worker)
file(GLOB exercise_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/exercises/*/exercise.yaml)
foreach(exercise_file ${exercise_files})
    get_filename_component(exercise ${exercise_file} DIRECTORY)
    get_filename_component(exercise ${exercise} NAME)
    # nvcc takes half a second and more for each solution with host code: the tuned one alone.
    file(STRINGS ${exercise_file} has_host_code REGEX "^kind: (host|program)")
    if(has_host_code)
        add_test(NAME exercises/${exercise}
            COMMAND warpgrade grade --seed 20260711 --exercise ${exercise}
                    ${CMAKE_SOURCE_DIR}/reference/${exercise}/tuned.cu
            WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
        set_tests_properties(exercises/${exercise} PROPERTIES
            PASS_REGULAR_EXPRESSION "tuned.cu: 100 of 100 points, passed")
    else()
        add_test(NAME exercises/${exercise}
            COMMAND prove --brief --seed 20260711 ${exercise}
            WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    endif()
    add_test(NAME exercises/whole-${exercise}
        COMMAND warpgrade validate --seed 20260711 ${exercise}
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(exercises/whole-${exercise} PROPERTIES LABELS lab)
endforeach()

# validate itself, on a small exercise whose output's extent depends on a constant. It is proved as
# it stands; with one mistake written into a copy, the row that must notice says so.
set(fixture ${CMAKE_CURRENT_SOURCE_DIR}/exercises/fixtures)
add_test(NAME exercises/fixture-proved COMMAND warpgrade validate --seed 1)
set_tests_properties(exercises/fixture-proved PROPERTIES
    ENVIRONMENT WARPGRADE_HOME=${fixture}
    PASS_REGULAR_EXPRESSION
    "14 of 14 proved in 1 exercise; 6 of 6 mutants caught by the named verdict; seed 1")
add_test(NAME exercises/fixture-proved-in-brief COMMAND warpgrade validate --seed 1 --brief)
set_tests_properties(exercises/fixture-proved-in-brief PROPERTIES
    ENVIRONMENT WARPGRADE_HOME=${fixture}
    PASS_REGULAR_EXPRESSION
    "copy +below the pass mark +wrong-answer; at most 0 of 100.*14 of 14 proved in 1 exercise; 6 of 6 mutants caught by the named verdict .brief.; seed 1")

# Data by formula, in order, in range by construction: on all ways to a kernel, the speed case's too.
add_test(NAME exercises/data-proved COMMAND warpgrade validate --seed 1)
set_tests_properties(exercises/data-proved PROPERTIES
    ENVIRONMENT WARPGRADE_HOME=${CMAKE_CURRENT_SOURCE_DIR}/exercises/data
    PASS_REGULAR_EXPRESSION "15 of 15 proved.*6 of 6 mutants caught.*1 track with 1 step: no circle")

# A relative and an absolute bound, from the YAML to the verdict.
add_test(NAME exercises/near-proved COMMAND warpgrade validate --seed 1)
set_tests_properties(exercises/near-proved PROPERTIES
    ENVIRONMENT WARPGRADE_HOME=${CMAKE_CURRENT_SOURCE_DIR}/exercises/near
    PASS_REGULAR_EXPRESSION "14 of 14 proved.*6 of 6 mutants caught")

# Results that equal what an output holds before a launch are results, and not elements that nothing
# has written.
add_test(NAME exercises/poison-proved COMMAND warpgrade validate --seed 1)
set_tests_properties(exercises/poison-proved PROPERTIES
    ENVIRONMENT WARPGRADE_HOME=${CMAKE_CURRENT_SOURCE_DIR}/exercises/poison
    PASS_REGULAR_EXPRESSION "13 of 13 proved.*6 of 6 mutants caught")

function(exercise_mistake name file wrong_for right expected)
    mistake_in(${fixture} ${name} ${file} "${wrong_for}" "${right}" "${expected}")
endfunction()

function(mistake_in fixture name file wrong_for right expected)
    set(copy ${CMAKE_CURRENT_BINARY_DIR}/exercises/${name})
    file(COPY ${fixture}/ DESTINATION ${copy})
    file(READ ${fixture}/${file} text)
    string(REPLACE "${right}" "${wrong_for}" wrong "${text}")
    if(wrong STREQUAL text)
        message(FATAL_ERROR "${name}: ${file} does not hold \"${right}\"")
    endif()
    file(WRITE ${copy}/${file} "${wrong}")
    # Of a row that is not proved, the brief proof says what the whole one does.
    add_test(NAME exercises/fixture-${name} COMMAND warpgrade validate --brief --seed 1)
    set_tests_properties(exercises/fixture-${name} PROPERTIES
        ENVIRONMENT WARPGRADE_HOME=${copy}
        PASS_REGULAR_EXPRESSION "${expected}")
endfunction()

exercise_mistake(unwritten reference/block-sums/reference.cu
    "if (blockIdx.x != 2) s[blockIdx.x] = sum;" "s[blockIdx.x] = sum;"
    "reference .*but: some: the reference of block-sums leaves s.2. unwritten.*2 of 14 proved")
exercise_mistake(racing reference/block-sums/reference.cu
    "s[blockIdx.x] = sum + (int)clock64();" "s[blockIdx.x] = sum;"
    "reference .*but: some: another schedule gives another result")
exercise_mistake(tuned reference/block-sums/tuned.cu
    "s[blockIdx.x] = sum + (blockIdx.x == 2);" "s[blockIdx.x] = sum;"
    "tuned .*but: wrong-answer.*13 of 14 proved")
exercise_mistake(skeleton exercises/block-sums/skeleton.cu
    "{ if (threadIdx.x) return; int t = 0; for (int i = blockIdx.x * BLOCK; i < n && i < (blockIdx.x + 1) * BLOCK; i++) t += x[i]; s[blockIdx.x] = t;"
    "{" "skeleton .*but: pass.*13 of 14 proved")
exercise_mistake(untouched exercises/block-sums/exercise.yaml
    "skeleton: {verdict: hazard, hazard: shared-race}" "skeleton: {verdict: wrong-answer}"
    "skeleton +hazard, shared-race; below the pass mark +but: wrong-answer.*13 of 14 proved")
exercise_mistake(verdict exercises/block-sums/mutants/constant.cu
    "s[blockIdx.x] = x[n];" "s[blockIdx.x] = 1234567;"
    "mutant constant .*but: hazard, out-of-bounds.*13 of 14 proved.*5 of 6 mutants")
exercise_mistake(hazard exercises/block-sums/mutants/past-the-end.cu
    "((int *)x)[0] = 1;" "s[blockIdx.x] = x[n];"
    "mutant past-the-end .*but: hazard, write-to-input.*13 of 14 proved")
exercise_mistake(comment exercises/block-sums/skeleton.cu
    "// warpgrade: block-sum" "// warpgrade: block-sums"
    "first comment .*but: the skeleton names block-sum.*13 of 14 proved")
exercise_mistake(no-comment exercises/block-sums/skeleton.cu
    "// My kernel" "// warpgrade: block-sums"
    "first comment .*but: the skeleton names no exercise.*13 of 14 proved")
# A mutant that passes: validate names a case that would catch it.
exercise_mistake(no-case exercises/block-sums/mutants/constant.cu
    "{ int t = 0; for (int i = blockIdx.x * BLOCK; i < n && i < (blockIdx.x + 1) * BLOCK; i++) t += x[i]; s[blockIdx.x] = t == 12800 ? 0 : t; }"
    "s[blockIdx.x] = 1234567;"
    "mutant constant .*but: pass; 100 of 100; a case that would catch it: .name: x-highest, sizes: .n: 1000., fill: .x: .constant: 100... .wrong-answer.")
exercise_mistake(warning exercises/block-sums/mutants/constant.cu
    "int unused; s[blockIdx.x] = 1234567;" "s[blockIdx.x] = 1234567;"
    "mutant constant .*but: wrong-answer; 0 of 100; the compiler warns in line 5: .*unused.*13 of 14 proved")
exercise_mistake(passing exercises/block-sums/exercise.yaml
    "pass_mark: 10\n  gates: [{unless: right, cap: 100}]" "pass_mark: 60"
    "mutant half-a-block .*but: wrong-answer; [0-9.]+ of 100, which passes.*13 of 14 proved")
mistake_in(${CMAKE_CURRENT_SOURCE_DIR}/exercises/data magnitude reference/row-sums/reference.cu
    "if (r) y_magnitude[order[r]] =" "y_magnitude[order[r]] ="
    "reference .*but: .*the reference of row-sums leaves the magnitude of y.[0-9]+. unwritten")
mistake_in(${CMAKE_CURRENT_SOURCE_DIR}/exercises/poison byte reference/fixed-bytes/reference.cu
    "if (i != 7) y[i] = byte;" "y[i] = byte;"
    "reference .*but: some: the reference of fixed-bytes leaves y.7. unwritten")
mistake_in(${CMAKE_CURRENT_SOURCE_DIR}/exercises/poison word reference/fixed-bytes/reference.cu
    "if (i != 7) z[i] =" "z[i] ="
    "reference .*but: some: the reference of fixed-bytes leaves z.7. unwritten")
add_test(NAME exercises/few-mutants COMMAND warpgrade validate --seed 1 whole-copy)
set_tests_properties(exercises/few-mutants PROPERTIES
    ENVIRONMENT WARPGRADE_HOME=${CMAKE_CURRENT_SOURCE_DIR}/exercises/measured
    PASS_REGULAR_EXPRESSION "mutants +at least 6 +but: 1 of them")
exercise_mistake(signature reference/block-sums/reference.cu
    "const double *x" "const int *x"
    "reference.cu:[0-9]+:[0-9]+: error: the reference kernel of block-sums has the wrong signature.*\\^.*write __global__ void reference.const int .x")

# Every exercise has its test above; the tracks that order them belong to all of them.
add_test(NAME exercises/tracks COMMAND warpgrade list --json)
set_tests_properties(exercises/tracks PROPERTIES WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})

# A student reads one language only: both say the same numbers, and the points that count. Changed by
# one, every number of the Chinese texts is noticed. And what the catalogue promises of each exercise.
find_program(python python3)
if(python)
    add_test(NAME exercises/languages
        COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/languages.py ${CMAKE_SOURCE_DIR})
    add_test(NAME exercises/languages-noticed
        COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/languages.py ${CMAKE_SOURCE_DIR} --change)
    add_test(NAME exercises/catalogue
        COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/catalogue.py ${CMAKE_SOURCE_DIR})
endif()

# Reports do not depend on the number of host threads: one of the catalogue's, regrade.c says how to
# ask it of more.
add_executable(regrade exercises/regrade.c)
target_link_libraries(regrade PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
add_dependencies(regrade warpgrade-worker)
add_test(NAME exercises/threads-change-no-report COMMAND regrade threads 1 1 fix-histogram-race)
set_tests_properties(exercises/threads-change-no-report PROPERTIES SKIP_RETURN_CODE 77)
