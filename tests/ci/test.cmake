# Takes the scripts out of share/ci/; tests/e2e/cases/ci-steps.e2e runs them.
add_executable(ci_steps ci/steps.c)
target_link_libraries(ci_steps PRIVATE warpgrade_exercise)
