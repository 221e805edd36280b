# Pages for developers that quote the sources.
add_test(NAME docs/adding
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_adding.sh ${CMAKE_SOURCE_DIR})
# Lists of schemas and READMEs that repeat a table; the target `tables` writes them again.
add_executable(check_tables ${CMAKE_CURRENT_LIST_DIR}/tables.c)
target_link_libraries(check_tables PRIVATE warpgrade_exercise warpgrade_reports)
add_test(NAME docs/tables COMMAND check_tables ${CMAKE_SOURCE_DIR})
add_custom_target(tables COMMAND check_tables --write ${CMAKE_SOURCE_DIR} VERBATIM)
# Functions of the CUDA runtime that the table of what there is does not name.
add_test(NAME docs/runtime
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_runtime.sh ${CMAKE_SOURCE_DIR})
set_tests_properties(docs/runtime PROPERTIES SKIP_RETURN_CODE 77)
# Numbers of device profiles that are another card's.
add_test(NAME docs/carry
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check_carry.sh ${CMAKE_SOURCE_DIR})

# README.md and docs/*.md: what they show is run and compared, what they name exists (page.py says how).
find_program(WARPGRADE_PYTHON python3)
if(WARPGRADE_PYTHON)
    file(GLOB pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/README.md
        ${CMAKE_SOURCE_DIR}/docs/*.md)
    file(GLOB room_pages RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/*/README.md
        ${CMAKE_SOURCE_DIR}/*/*/*.md ${CMAKE_SOURCE_DIR}/*/*/*/README.md)
    # The glossary, which the target `tables` writes again, too.
    add_test(NAME docs/glossary COMMAND ${WARPGRADE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/glossary.py ${CMAKE_SOURCE_DIR})
    add_custom_command(TARGET tables POST_BUILD
        COMMAND ${WARPGRADE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/glossary.py --write ${CMAKE_SOURCE_DIR} VERBATIM)
    add_test(NAME docs/names COMMAND ${WARPGRADE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/check_names.py
        $<TARGET_FILE:warpgrade> ${CMAKE_SOURCE_DIR} ${pages} share/ci/README.md exercises/README.md
        --links ${room_pages})
    add_test(NAME docs/notices COMMAND ${WARPGRADE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/check_notices.py
        $<TARGET_FILE:warpgrade> ${CMAKE_SOURCE_DIR})
    set_tests_properties(docs/names docs/notices PROPERTIES ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)
    if(WARPGRADE_SANITIZE) # slow there, and the same as in e2e/
        set(pages)
    endif()
    foreach(page ${pages})
        get_filename_component(name ${page} NAME_WE)
        add_test(NAME docs/page-${name} COMMAND ${WARPGRADE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/run_page.py
            $<TARGET_FILE:warpgrade> ${CMAKE_SOURCE_DIR} ${page})
        set_tests_properties(docs/page-${name} PROPERTIES
            SKIP_RETURN_CODE 77
            ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;XDG_CACHE_HOME=${tests_cache}")
    endforeach()
endif()
