# The built program, run as a user runs it: one CTest test for each case file. The rows of
# tests/samples/expected.tsv and the exercises' folders give further cases, written into the build
# folder, so that a new sample or exercise is tested without a new file here.
add_executable(e2e_runner e2e/runner.c support/clean.c)
target_link_libraries(e2e_runner PRIVATE warpgrade_base PkgConfig::JANSSON PkgConfig::XML2)

set(e2e_time_scale 1)
if(WARPGRADE_SANITIZE)
    set(e2e_time_scale 6)
endif()

function(e2e_case name file)
    add_test(NAME e2e/${name} COMMAND e2e_runner ${file})
    set_tests_properties(e2e/${name} PROPERTIES
        TIMEOUT 900
        SKIP_RETURN_CODE 77
        ENVIRONMENT "WARPGRADE_BINARY=$<TARGET_FILE:warpgrade>;WARPGRADE_TIME_SCALE=${e2e_time_scale};E2E_CACHE=${tests_cache}")
endfunction()

# The runner must notice: each of these cases is wrong about what /bin/sh does.
file(GLOB e2e_selftests CONFIGURE_DEPENDS e2e/selftest/*.e2e)
foreach(file ${e2e_selftests})
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME e2e/runner/notices-${name} COMMAND e2e_runner ${file})
    set_tests_properties(e2e/runner/notices-${name} PROPERTIES
        WILL_FAIL TRUE
        ENVIRONMENT "WARPGRADE_BINARY=/bin/sh")
endforeach()

file(GLOB e2e_files CONFIGURE_DEPENDS e2e/cases/*.e2e)
foreach(file ${e2e_files})
    get_filename_component(name ${file} NAME_WE)
    e2e_case(${name} ${file})
endforeach()

# sample, exercise, exit code, verdict, hazard
set(expected ${CMAKE_CURRENT_SOURCE_DIR}/samples/expected.tsv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${expected})
file(STRINGS ${expected} rows)
foreach(row ${rows})
    string(REPLACE "\t" ";" fields "${row}")
    list(LENGTH fields count)
    if(NOT count EQUAL 5 OR row MATCHES "^#")
        continue()
    endif()
    list(GET fields 0 sample)
    list(GET fields 1 exercise)
    list(GET fields 2 code)
    list(GET fields 3 verdict)
    list(GET fields 4 hazard)
    string(CONCAT text
        "run grade --report json=r.json --report junit=r.xml \"$SOURCE/tests/samples/${sample}\"\n"
        "exit ${code}\n"
        "json r.json exercise = ${exercise}\n"
        "json r.json cases.*.verdict = ${verdict}\n"
        "xml r.xml count(//testcase) > 0\n"
        "run report json r.json -o again.json\nexit 0\nsh cmp r.json again.json\n"
        "run report junit r.json -o again.xml\nexit 0\n"
        "sh sed -i 's/ time=\"[0-9.]*\"//' r.xml again.xml && cmp r.xml again.xml\n")
    if(code EQUAL 0)
        string(APPEND text "json r.json passed = true\n")
    else()
        string(APPEND text "json r.json passed = false\n")
    endif()
    if(verdict STREQUAL pass)
        string(APPEND text "xml r.xml count(//failure | //error) = 0\n")
    else()
        string(APPEND text "xml r.xml count(//failure | //error) > 0\n")
    endif()
    if(NOT hazard STREQUAL "-")
        string(APPEND text "json r.json cases.*.hazards.*.kind = ${hazard}\n")
    endif()
    string(REGEX REPLACE "\\.cu$" "" name ${sample})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/e2e/samples/${name}.e2e)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    e2e_case(samples/${name} ${file})
endforeach()

# No one passes by handing in what `new` writes: that it is the skeleton, byte for byte, and says of
# which exercise, is checked here; that the skeleton does not pass, by exercises/<id> (`validate`
# grades it) for all and here for one.
file(GLOB exercises CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_SOURCE_DIR}/exercises/*)
foreach(exercise ${exercises})
    get_filename_component(name ${exercise} NAME)
    if(NOT EXISTS ${exercise}/exercise.yaml)
        continue()
    endif()
    string(CONCAT text
        "run new ${name}\nexit 0\nexists ${name}.cu\n"
        "sh cmp ${name}.cu \"$SOURCE/exercises/${name}/skeleton.cu\"\n"
        "run grade --cases none-of-them ${name}.cu\nexit 2\nstderr no case of ${name} matches\n"
        "run new ${name}\nexit 2\nstderr ${name}.cu\n"
        "run new ${name} elsewhere\nexit 0\n"
        "sh cmp ${name}.cu elsewhere/${name}.cu\n")
    if(name STREQUAL "dot")
        string(APPEND text
            "run grade --report json=r.json ${name}.cu\nexit 1\n"
            "json r.json exercise = ${name}\njson r.json passed = false\n")
    endif()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/e2e/skeletons/${name}.e2e)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    e2e_case(skeletons/${name} ${file})
endforeach()

# What a student reads with --lang zh.
find_program(WARPGRADE_PYTHON python3)
if(WARPGRADE_PYTHON)
    add_test(NAME e2e/chinese COMMAND ${WARPGRADE_PYTHON}
        ${CMAKE_CURRENT_SOURCE_DIR}/e2e/chinese.py $<TARGET_FILE:warpgrade> ${CMAKE_SOURCE_DIR})
    set_tests_properties(e2e/chinese PROPERTIES ENVIRONMENT "XDG_CACHE_HOME=${tests_cache}")
    add_test(NAME e2e/chinese-errors COMMAND ${WARPGRADE_PYTHON}
        ${CMAKE_CURRENT_SOURCE_DIR}/e2e/chinese_errors.py ${CMAKE_SOURCE_DIR})
endif()
