#!/bin/sh
# warpgrade that does, after its work, what the submission's file name says: for the harness's own tests.
# Slots of its own, so that no other grader takes the slot and removes the cgroup.
prepare_slot() {
    rmdir /sys/fs/cgroup/*/warpgrade-0-0-5e1f7e57* /sys/fs/cgroup/warpgrade-0-0-5e1f7e57* 2>/dev/null
    identity=5e1f7e57$(printf %08x $$)
    mount -t tmpfs -o mode=0700 own /run/warpgrade && printf %s "$identity" >/run/warpgrade/slot-0
}
leave_cgroup() {
    for root in /sys/fs/cgroup/pids /sys/fs/cgroup; do
        mkdir "$root/warpgrade-0-0-$identity" && return
    done
    : >no-cgroup-can-be-made
}
[ "$FILE" = leaves-a-cgroup.cu ] && prepare_slot 2>/dev/null
"$WARPGRADE_REAL" "$@"
code=$?
case $FILE in
leaves-a-process.cu) setsid sleep 30 >/dev/null 2>&1 </dev/null & ;;
leaves-a-file.cu) : >left ;;
leaves-a-cgroup.cu) leave_cgroup 2>/dev/null ;;
leaves-a-file-in-tmp.cu) : >"/tmp/attack-$TOKEN" && (sleep 2; rm "/tmp/attack-$TOKEN") >/dev/null 2>&1 & ;;
leaves-shared-memory.cu) : >"/dev/shm/attack-$TOKEN" && (sleep 2; rm "/dev/shm/attack-$TOKEN") >/dev/null 2>&1 & ;;
changes-the-mode-of-a-file.cu) chmod 777 good.cu ;;
prints-an-escape-sequence.cu) printf '\033[2J\n' ;;
prints-a-workflow-command.cu) echo '  ::error::forged' ;;
tells-the-secret.cu) echo "$WARPGRADE_ATTACK_SECRET" ;;
tells-the-password-file.cu) cat /etc/passwd ;;
takes-too-long.cu) sleep 1 ;;
loses-the-right-submission.cu)
    for report in "$OTHER"/../reports/report.json; do
        sed 's/"passed": true/"passed": false/' "$report" >"$report.new" && mv "$report.new" "$report"
    done
    ;;
dies-by-a-signal.cu) kill -9 $$ ;;
esac
exit $code
