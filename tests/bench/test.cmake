# The benchmark is built with everything else, so that it cannot rot, but a test only asks whether it
# works: figures from a shared machine decide nothing. See tests/bench/README.md.
add_executable(bench_simgpu bench/bench_simgpu.c bench/kernels.c bench/measure.c)
target_link_libraries(bench_simgpu PRIVATE warpgrade_sandbox warpgrade_simgpu PkgConfig::JANSSON m)
add_test(NAME bench/works COMMAND bench_simgpu --quick)
set_tests_properties(bench/works PROPERTIES SKIP_RETURN_CODE 77)
add_executable(bench_model bench/bench_model.c bench/model/catalogue.c)
target_link_libraries(bench_model PRIVATE warpgrade_grader warpgrade_sandbox warpgrade_simgpu
    PkgConfig::JANSSON m)
# The stored measurements, no timing: the small sizes of some families that differ in what limits them.
add_test(NAME bench/model COMMAND bench_model --size small --check 93
    --family vector_multiply,dot,scan,arithmetic,divergence,transpose)
add_test(NAME bench/model-structs COMMAND bench_model --micro --family records --check 85)
set_tests_properties(bench/model bench/model-structs PROPERTIES LABELS lab TIMEOUT 600)
# What `profile` of a large launch costs; the test only asks whether it works.
add_executable(bench_profile bench/bench_profile.c bench/measure.c)
target_compile_definitions(bench_profile PRIVATE WARPGRADE_PROGRAM="$<TARGET_FILE:warpgrade>")
target_link_libraries(bench_profile PRIVATE warpgrade_sandbox warpgrade_simgpu PkgConfig::JANSSON m)
add_test(NAME bench/profile-works COMMAND bench_profile --works -k shuffle)
set_tests_properties(bench/profile-works PROPERTIES SKIP_RETURN_CODE 77)
# What the jail costs; the test only asks whether it works and leaves nothing.
add_executable(bench_jail bench/bench_jail.c bench/measure.c)
target_compile_definitions(bench_jail PRIVATE WARPGRADE_WORKER="$<TARGET_FILE:warpgrade-worker>")
target_link_libraries(bench_jail PRIVATE warpgrade_sandbox warpgrade_simgpu PkgConfig::JANSSON m)
add_dependencies(bench_jail warpgrade-worker)
add_test(NAME bench/jail-works COMMAND bench_jail --works)
set_tests_properties(bench/jail-works PROPERTIES SKIP_RETURN_CODE 77)
# How large pages are and how long they take; the test asks it of golden reports.
add_executable(bench_html bench/bench_html.c)
target_link_libraries(bench_html PRIVATE warpgrade_reports)
add_test(NAME bench/html-works
    COMMAND bench_html --works ${CMAKE_CURRENT_LIST_DIR}/../golden/reports/last-column.json)
# The same of the page of a class.
add_executable(bench_class bench/bench_class.c)
target_link_libraries(bench_class PRIVATE test_fixtures)
add_test(NAME bench/class-works COMMAND bench_class --works)
# How long a student waits for a grade of each exercise; the test only asks whether it works.
add_executable(bench_grade bench/bench_grade.c)
target_link_libraries(bench_grade PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
add_dependencies(bench_grade warpgrade-worker)
add_test(NAME bench/grade-works COMMAND bench_grade --works thread-index)
set_tests_properties(bench/grade-works PROPERTIES SKIP_RETURN_CODE 77)
# Submissions with host code are linked with our CUDA runtime, which they look for beside themselves.
file(CREATE_LINK ../runtime ${CMAKE_CURRENT_BINARY_DIR}/runtime SYMBOLIC)
# Which grades of the catalogue take long; the test asks it of one exercise of each kind.
add_executable(bench_catalogue bench/bench_catalogue.c)
target_link_libraries(bench_catalogue PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
add_dependencies(bench_catalogue warpgrade-worker)
add_test(NAME bench/catalogue-works COMMAND bench_catalogue --works thread-index first-program)
set_tests_properties(bench/catalogue-works PROPERTIES SKIP_RETURN_CODE 77)
# Whether the named cause of a wrong answer is the right one; the test asks it of one exercise.
add_executable(bench_causes bench/bench_causes.c)
target_link_libraries(bench_causes PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
add_dependencies(bench_causes warpgrade-worker)
add_test(NAME bench/causes COMMAND bench_causes --check fix-divergent-barrier)
set_tests_properties(bench/causes PROPERTIES SKIP_RETURN_CODE 77)
# How well copies are told from independent solutions; the test asks it of one exercise.
add_executable(bench_similarity bench/bench_similarity.c similarity/disguise.c)
target_link_libraries(bench_similarity PRIVATE warpgrade_grader warpgrade_reports warpgrade_sandbox
    warpgrade_simgpu)
add_dependencies(bench_similarity warpgrade-worker)
add_test(NAME bench/similarity COMMAND bench_similarity --quick)
set_tests_properties(bench/similarity PROPERTIES SKIP_RETURN_CODE 77)
