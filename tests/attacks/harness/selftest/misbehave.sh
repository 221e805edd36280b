#!/bin/sh
# warpgrade that does, after its work, what the submission's file name says: for the harness's own tests.
"$WARPGRADE_REAL" "$@"
code=$?
case $FILE in
leaves-a-process.cu) setsid sleep 30 >/dev/null 2>&1 </dev/null & ;;
leaves-a-file.cu) : >left ;;
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
