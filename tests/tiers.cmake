# Which tests ./bootstrap test runs, and in what order. tests/README.md says what the labels mean.
#
# A test's suite is the first part of its name, and its first label. `lab` stands in the suites'
# test.cmake, beside the test; `quick` is decided here: cheap suites whole, and of the others the
# tests that between them touch every stage of a grade.

# Seconds that tests take on a busy machine, of those above three. CTest starts the longest first, so
# that none of them runs alone at the end; those of cheap suites are no part of `quick`.
set(test_seconds
    author/new 4  author/survivors 4
    docs/page-writing-an-exercise 6  docs/page-grading-a-class 6  docs/page-first-exercise 4  docs/page-jail 4
    hazards/global-race 12  hazards/async 8  hazards/deadlock 8  hazards/uninitialized-read 4
    hazards/shared-race 4  hazards/programs 4  hazards/message 5
    unit/isolation/limits 17  unit/isolation/leftovers 8  unit/isolation/slot 5  unit/isolation/walls 5
    unit/cuda/measure 11  unit/build/refusals 5  unit/build/compile 5  unit/grade/grade 10
    unit/check/slices 4  git/https 4  git/ssh 4
    e2e/ptxas 65  e2e/gradescope 10  e2e/gradescope-no-jail 4  e2e/hostile-submission 10  e2e/programs 9  e2e/programs-streams 5  e2e/programs-of-several-files 5
    e2e/chinese 4  e2e/speed 8  e2e/card 6  e2e/jail-missing 4  e2e/hostile-exercise 4  e2e/similarity-course 4
    attacks/template-bomb.cu 5  attacks/macro-bomb.cu 8
    attacks/memory-bomb-in-many-processes.c 5
    exercises/matmul-boundary 9  exercises/matmul-coarsened 6  exercises/matmul-open 6
    exercises/gemm-half-wmma 6  exercises/scan 5  exercises/layernorm 5  exercises/softmax 5
    exercises/stream-compaction 5  exercises/matmul-tiled 5  exercises/bitonic-sort 5
    gpu/counters-of-exercises 5  gpu/agreement-recorded 6
    gpu/engines-except-no-mistake-of-ours 4  fuzz/arithmetic 4  fuzz/bounded-memory 5  programs/findings 5
    gpu/caches-of-models 44  gpu/every-row-is-possible 29  gpu/counters-of-models 18
    install/prefix 5  install/program 4
    cluster/slurm 15  class/killed-and-resumed 15  explain/examples 15  bench/model 12  gpu/caches-of-samples 6  golden/screens 8)

set(quick_suites "^(unit|ptx|golden|docs|sinks|house|bootstrap)/")
set(quick_tests
    "^hazards/(barrier-divergence|grid-sync|heap|matrix|misaligned|out-of-bounds|shared-race)$"
    "^hazards/(stack-overflow|trap|warp-mask-mismatch|write-to-input)$"
    "^e2e/(barriers|determinism|files|kernels|reading|simulator)$" "^e2e/samples/dot/"
    "^exercises/(catalogue|dot|fixture-proved|languages|tracks|vector-multiply)$"
    "^attacks/harness/" "^attacks/(read-the-reference|start-a-shell|answer-without-end)\\.c$"
    "^cheats/half-precision$" "^fuzz/(replay|corpus)-" "^gpu/every-row-has-its-kernel$")

get_property(tests DIRECTORY PROPERTY TESTS)
foreach(test ${tests})
    string(REGEX MATCH "^[a-z0-9]+/" suite "${test}/")
    string(REPLACE "/" "" suite "${suite}")
    get_property(labels TEST ${test} PROPERTY LABELS)
    list(FIND test_seconds ${test} at)
    set(patterns ${quick_tests})
    if(at GREATER -1)
        math(EXPR at "${at} + 1")
        list(GET test_seconds ${at} seconds)
        set_tests_properties(${test} PROPERTIES COST ${seconds})
    else()
        list(APPEND patterns ${quick_suites})
    endif()
    foreach(pattern ${patterns})
        if(test MATCHES "${pattern}" AND NOT "${labels}" MATCHES "lab|card")
            list(APPEND labels quick)
            break()
        endif()
    endforeach()
    list(PREPEND labels ${suite})
    list(REMOVE_DUPLICATES labels)
    set_tests_properties(${test} PROPERTIES LABELS "${labels}")
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT "XDG_CACHE_HOME=${tests_cache}")
endforeach()
foreach(test ${test_seconds})
    if(test MATCHES "/" AND NOT test IN_LIST tests AND NOT WARPGRADE_SANITIZE) # leaves some out
        message(FATAL_ERROR "tests/tiers.cmake lists ${test}, which is no test")
    endif()
endforeach()
