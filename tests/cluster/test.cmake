# A class on a real Slurm, which the test starts for itself and ends. Skipped, with the reason, where
# Slurm and munge are not installed or cannot run (they are root's).
if(WARPGRADE_PYTHON AND WARPGRADE_GIT)
    add_test(NAME cluster/slurm
        COMMAND ${WARPGRADE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/run_cluster.py $<TARGET_FILE:warpgrade>)
    set_tests_properties(cluster/slurm PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
