# Attacks on the grader: one file each, one CTest test each. README.md here has the table, made by
# `ninja attacks-table` from what the files say about themselves.
file(GLOB attack_files CONFIGURE_DEPENDS attacks/*/*.cu attacks/*/*.ptx attacks/*/*.c attacks/*/*.e2e)
list(FILTER attack_files EXCLUDE REGEX "/attacks/(harness|attacker|home)/")
set(attack_natives ${attack_files})
list(FILTER attack_natives INCLUDE REGEX "\\.c$")

file(GLOB attack_harness CONFIGURE_DEPENDS attacks/harness/*.c)
add_executable(attack_harness ${attack_harness})
target_link_libraries(attack_harness PRIVATE warpgrade_base warpgrade_reports PkgConfig::JANSSON)

# A worker that submissions have taken over, beside a copy of the program: what the program starts
# is what stands beside it.
set(attacked ${CMAKE_CURRENT_BINARY_DIR}/attacked)
add_executable(attacker attacks/attacker/main.c ${attack_natives})
target_link_libraries(attacker PRIVATE warpgrade_sandbox)
set_target_properties(attacker PROPERTIES
    OUTPUT_NAME warpgrade-worker
    RUNTIME_OUTPUT_DIRECTORY ${attacked})
add_custom_command(OUTPUT ${attacked}/warpgrade
    COMMAND ${CMAKE_COMMAND} -E make_directory ${attacked}
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:warpgrade> ${attacked}/warpgrade
    DEPENDS warpgrade
    VERBATIM)
# and the data that it finds beside itself
file(MAKE_DIRECTORY ${attacked}/share)
file(CREATE_LINK ${CMAKE_SOURCE_DIR} ${attacked}/share/warpgrade SYMBOLIC)
add_custom_target(attacked_program ALL DEPENDS ${attacked}/warpgrade)

set(attack_time_scale 1)
if(WARPGRADE_SANITIZE)
    set(attack_time_scale 6)
endif()

# What every attack would compile again beside its own.
set(attack_seed ${attacked}/seed)
add_test(NAME attacks/seed
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/attacks/seed.sh ${attack_seed}
            ${CMAKE_CURRENT_SOURCE_DIR}/samples/saxpy/good.cu
            ${CMAKE_CURRENT_SOURCE_DIR}/samples/saxpy/off-by-one.cu
            $<TARGET_FILE:warpgrade> ${attacked}/warpgrade)
set_tests_properties(attacks/seed PROPERTIES FIXTURES_SETUP attack-seed)

# As the user who runs the tests, and where that is root once more as a plain user.
function(attack_test name)
    add_test(NAME ${name} COMMAND attack_harness ${ARGN})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT 300
        SKIP_RETURN_CODE 77
        FIXTURES_REQUIRED attack-seed
        ENVIRONMENT "WARPGRADE_BINARY=$<TARGET_FILE:warpgrade>;WARPGRADE_ATTACKED=${attacked}/warpgrade;WARPGRADE_ATTACK_SEED=${attack_seed};E2E_CACHE=${tests_cache};E2E_RUNNER=$<TARGET_FILE:e2e_runner>;WARPGRADE_FAKE_CARD=${CMAKE_CURRENT_BINARY_DIR}/fake_card;WARPGRADE_TIME_SCALE=${attack_time_scale}")
endfunction()
foreach(file ${attack_files})
    get_filename_component(name ${file} NAME)
    attack_test(attacks/${name} ${file})
    # Who runs it makes no difference to how files, trees, YAML, PTX and answers are read, nor to
    # what the simulated GPU does with a kernel.
    file(STRINGS ${file} once REGEX "^[ *#/]*once: yes")
    if(NOT once AND NOT file MATCHES "/(files|git|yaml|ptx|answers|kernels)/[^/]*$")
        attack_test(attacks/plain-user/${name} --user nobody ${file})
    endif()
endforeach()

# The jail for machines without user namespaces: what a worker can try that a submission has taken over.
# How it is closed does not depend on the user but for these, which are about files and processes.
set(attack_second_plain outlive-the-compiler stop-the-grader-by-a-signal trace-process-one
    overwrite-another-submission read-another-submission note-for-the-next-run-in-a-file
    environment-of-other-processes memory-of-process-one answer-and-stay)
foreach(file ${attack_natives})
    get_filename_component(name ${file} NAME_WE)
    attack_test(attacks/landlock/${name}.c --landlock ${file})
    if(name IN_LIST attack_second_plain)
        attack_test(attacks/landlock/plain-user/${name}.c --landlock-user nobody ${file})
    endif()
endforeach()

foreach(file ${attack_files})
    get_filename_component(name ${file} NAME)
    if(file MATCHES "\\.cu$")
        file(STRINGS ${file} second REGEX "^// landlock: fails")
        if(second)
            attack_test(attacks/landlock/${name} --landlock ${file})
        endif()
    endif()
endforeach()

# The table of README.md; its test says whether it is up to date.
set(attack_table ${CMAKE_CURRENT_SOURCE_DIR}/attacks/table.sh)
add_custom_target(attacks-table
    COMMAND sh ${attack_table} $<TARGET_FILE:attack_harness> ${CMAKE_CURRENT_SOURCE_DIR}/attacks write
    DEPENDS attack_harness
    VERBATIM)
add_test(NAME attacks/table
    COMMAND sh ${attack_table} $<TARGET_FILE:attack_harness> ${CMAKE_CURRENT_SOURCE_DIR}/attacks check)

# The harness must notice: each of these runs goes wrong in the way that its file's name says.
function(attack_selftest name expected)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/attacks/harness/selftest/${name}.cu)
    add_test(NAME attacks/harness/notices-${name} COMMAND attack_harness ${file})
    set_tests_properties(attacks/harness/notices-${name} PROPERTIES
        PASS_REGULAR_EXPRESSION "${name}\\.cu: ${expected}"
        FIXTURES_REQUIRED attack-seed
        ENVIRONMENT "WARPGRADE_ATTACK_SEED=${attack_seed};WARPGRADE_REAL=$<TARGET_FILE:warpgrade>;WARPGRADE_BINARY=${CMAKE_CURRENT_SOURCE_DIR}/attacks/harness/selftest/misbehave.sh;WARPGRADE_TIME_SCALE=${attack_time_scale}")
endfunction()
attack_selftest(leaves-a-process "process [0-9]+ is left: sleep 30")
attack_selftest(leaves-a-cgroup "left behind: the cgroup: [^ ]*/warpgrade-0-0-5e1f7e57")
set_tests_properties(attacks/harness/notices-leaves-a-cgroup PROPERTIES
    SKIP_REGULAR_EXPRESSION "no-cgroup-can-be-made")
attack_selftest(leaves-a-file "left behind: [^ ]*/work/left")
attack_selftest(leaves-a-file-in-tmp "[^!]*left behind: /tmp/attack-")
attack_selftest(leaves-shared-memory "[^!]*left behind: /dev/shm/attack-")
attack_selftest(changes-the-mode-of-a-file "left behind: [^ ]*/work/good.cu 100777")
attack_selftest(prints-an-escape-sequence "standard output holds a character that steers")
attack_selftest(prints-a-workflow-command "standard output holds a workflow command")
attack_selftest(tells-the-secret "a secret was leaked")
attack_selftest(tells-the-password-file "/etc/passwd was leaked")
attack_selftest(takes-too-long "took [0-9.]+ s")
attack_selftest(wrong-verdict "a case's verdict is wrong-answer and not hazard")
attack_selftest(passes "exit code 1 and not 0")
attack_selftest(says-nothing "nothing says: these words are nowhere")
attack_selftest(loses-the-right-submission "the right submission of the same run does not pass")
attack_selftest(dies-by-a-signal "exit code 137 and not 1")
