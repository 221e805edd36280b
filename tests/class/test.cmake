# A whole class, graded by the built program. Without python3 or git the tests are skipped.
find_program(WARPGRADE_PYTHON python3)
find_program(WARPGRADE_GIT git)
if(WARPGRADE_PYTHON AND WARPGRADE_GIT)
    add_test(NAME class/killed-and-resumed
        COMMAND ${WARPGRADE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/kill_and_resume.py
                $<TARGET_FILE:warpgrade> --kills 2 --students 3 --exercises saxpy --longest 0.8)
    set_tests_properties(class/killed-and-resumed PROPERTIES RESOURCE_LOCK jail-users)
endif()
