# What needs a real GPU, and what the simulated one is compared with. The program is built everywhere,
# so that it cannot rot; without a GPU it says so and is skipped.
add_executable(gpu_bench gpu/gpu_bench.c gpu/exercise_run.c gpu/measure.c gpu/driver.c
    gpu/launches.c bench/model/catalogue.c)
target_link_libraries(gpu_bench PRIVATE warpgrade_grader warpgrade_sandbox warpgrade_simgpu
    PkgConfig::JANSSON)
# It also runs on machines that lack the grader's libraries.
target_link_options(gpu_bench PRIVATE -Wl,--as-needed)
add_test(NAME gpu/every-kernel-runs COMMAND gpu_bench --size small --json
    ${CMAKE_CURRENT_BINARY_DIR}/gpu-small.json)
set_tests_properties(gpu/every-kernel-runs PROPERTIES LABELS card SKIP_RETURN_CODE 77)
add_executable(gpu_session gpu/session.c)
target_link_libraries(gpu_session PRIVATE warpgrade_sandbox warpgrade_simgpu m)
add_test(NAME gpu/sessions COMMAND gpu_session)
set_tests_properties(gpu/sessions PROPERTIES LABELS card SKIP_RETURN_CODE 77)
add_test(NAME gpu/second-jail COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/second_jail.sh
    $<TARGET_FILE:warpgrade>)
set_tests_properties(gpu/second-jail PROPERTIES LABELS card SKIP_RETURN_CODE 77)
add_executable(gpu_engines gpu/engines.c)
target_link_libraries(gpu_engines PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
add_test(NAME gpu/engines-agree COMMAND gpu_engines --kind kernel)
add_test(NAME gpu/engines-agree-on-host-code COMMAND gpu_engines --kind host)
set_tests_properties(gpu/engines-agree gpu/engines-agree-on-host-code PROPERTIES LABELS card SKIP_RETURN_CODE 77 TIMEOUT 900)
# On a card that computes nothing references have no results: our mistake, which no exception covers.
add_test(NAME gpu/engines-except-no-mistake-of-ours COMMAND gpu_engines --jobs 2 vector-multiply)
set_tests_properties(gpu/engines-except-no-mistake-of-ours PROPERTIES
    ENVIRONMENT "LD_LIBRARY_PATH=${CMAKE_CURRENT_BINARY_DIR}/fake_card;CUDA_VISIBLE_DEVICES=0"
    SKIP_REGULAR_EXPRESSION "${closed_folder}"
    PASS_REGULAR_EXPRESSION "DIFFERS vector-multiply [a-z-]+[^\n]*: hazard simulated[^\n]*internal-error on the card")
add_dependencies(gpu_engines fake_card)
# A driver that computes nothing, for what is done when a launch fails.
add_library(fake_driver SHARED gpu/fake_driver.c)
set_target_properties(fake_driver PROPERTIES PREFIX "" OUTPUT_NAME libcuda SUFFIX .so.1
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fake_driver)
add_test(NAME gpu/faults-end-no-run COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/check_refused.sh
    $<TARGET_FILE:gpu_bench> ${CMAKE_CURRENT_BINARY_DIR}/fake_driver
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
# Rows name files of exercises, which move: each must be there with its kernel, and its launch be
# made. That each compiles takes half a minute: the lab's.
add_test(NAME gpu/every-row-has-its-kernel COMMAND gpu_bench --plan)
add_test(NAME gpu/every-row-is-possible COMMAND gpu_bench --size small --json
    ${CMAKE_CURRENT_BINARY_DIR}/fake_driver/rows.json)
set_tests_properties(gpu/every-row-is-possible PROPERTIES
    LABELS lab
    ENVIRONMENT LD_LIBRARY_PATH=${CMAKE_CURRENT_BINARY_DIR}/fake_driver)
add_executable(gpu_collect gpu/collect.c bench/model/catalogue.c)
target_link_libraries(gpu_collect PRIVATE warpgrade_grader warpgrade_sandbox warpgrade_simgpu
    PkgConfig::JANSSON)
add_test(NAME gpu/collects-some-kernels
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/check_collect.sh $<TARGET_FILE:gpu_collect>)
add_executable(gpu_counters gpu/counters.c gpu/caches.c gpu/launches.c bench/model/catalogue.c)
target_link_libraries(gpu_counters PRIVATE warpgrade_grader warpgrade_sandbox warpgrade_simgpu
    PkgConfig::JANSSON m)
add_test(NAME gpu/counters-of-exercises COMMAND gpu_counters --exercises-only --quiet)
add_test(NAME gpu/counters-of-models COMMAND gpu_counters --models-only --quick --quiet)
add_test(NAME gpu/caches-of-models COMMAND gpu_counters --caches --most 45 --quiet)
add_test(NAME gpu/caches-of-samples
    COMMAND gpu_counters --caches --sample 4000000 --size large -k saxpy/* --quiet)
set_tests_properties(gpu/counters-of-exercises PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(gpu/counters-of-models gpu/caches-of-models gpu/caches-of-samples PROPERTIES
    LABELS lab SKIP_RETURN_CODE 77)
# Measured ratios twice in a row, of one exercise of each kind; without names: of all.
add_executable(gpu_ratios gpu/ratios.c)
target_link_libraries(gpu_ratios PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
target_link_options(gpu_ratios PRIVATE -Wl,--as-needed)
add_dependencies(gpu_ratios warpgrade-worker)
add_test(NAME gpu/ratios
    COMMAND gpu_ratios dot gemv-open softmax
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(gpu/ratios PROPERTIES LABELS card SKIP_RETURN_CODE 77 RUN_SERIAL ON TIMEOUT 600)
# The same points with and without a card.
add_executable(gpu_agreement gpu/agreement.c)
target_link_libraries(gpu_agreement PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
target_link_options(gpu_agreement PRIVATE -Wl,--as-needed)
add_dependencies(gpu_agreement warpgrade-worker)
add_test(NAME gpu/agreement COMMAND gpu_agreement WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
# With what an H200 said: a reduction, atomics and a product here, all exercises in the lab.
add_test(NAME gpu/agreement-recorded
    COMMAND gpu_agreement --recorded tests/gpu/agreement-h200.tsv dot histogram-shared matmul-tiled
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
foreach(card h100 h200)
    add_test(NAME gpu/agreement-recorded-of-all-${card}
        COMMAND gpu_agreement --recorded tests/gpu/agreement-${card}.tsv
        WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_tests_properties(gpu/agreement-recorded-of-all-${card} PROPERTIES LABELS lab)
endforeach()
set_tests_properties(gpu/agreement PROPERTIES LABELS card SKIP_RETURN_CODE 77 RUN_SERIAL ON
    TIMEOUT 600)
# What the tuned kernels reach, and the order of the course's simple variants.
add_executable(gpu_table gpu/table.c bench/model/catalogue.c)
target_link_libraries(gpu_table PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
target_link_options(gpu_table PRIVATE -Wl,--as-needed)
add_dependencies(gpu_table warpgrade-worker)
add_test(NAME gpu/table COMMAND gpu_table WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(gpu/table PROPERTIES LABELS card SKIP_RETURN_CODE 77 RUN_SERIAL ON TIMEOUT 300)
add_test(NAME gpu/run.sh-tells-failures COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/check_run.sh
    ${CMAKE_CURRENT_SOURCE_DIR}/gpu/run.sh)
add_test(NAME gpu/table-has-no-such-row COMMAND gpu_table --plan saxpi)
set_tests_properties(gpu/table-has-no-such-row PROPERTIES
    PASS_REGULAR_EXPRESSION "the table has no row saxpi")
add_test(NAME gpu/table-is-possible COMMAND gpu_table --plan WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
# How far approximate functions and matrix products are from a card's.
add_executable(gpu_approximate gpu/approximate.c gpu/driver.c)
target_link_libraries(gpu_approximate PRIVATE warpgrade_simgpu ${CMAKE_DL_LIBS} m)
add_test(NAME gpu/approximate COMMAND gpu_approximate --every 61)
add_executable(gpu_products gpu/products.c gpu/driver.c)
target_link_libraries(gpu_products PRIVATE warpgrade_simgpu ${CMAKE_DL_LIBS} m)
add_test(NAME gpu/products COMMAND gpu_products)
set_tests_properties(gpu/approximate gpu/products PROPERTIES LABELS card SKIP_RETURN_CODE 77)
# Whole programs whose output a card has printed: the simulated GPU prints the same.
add_test(NAME gpu/programs-texture COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/gpu/programs/compare.sh
    $<TARGET_FILE:warpgrade> ${CMAKE_CURRENT_SOURCE_DIR}/gpu/programs/texture.cu
    ${CMAKE_CURRENT_SOURCE_DIR}/gpu/programs/texture.txt)
set_tests_properties(gpu/programs-texture PROPERTIES SKIP_RETURN_CODE 77)
