-- From version 2 to 3. An old attempt was one grading with one seed: gradings of the same commit's file
-- by the same version of the exercise become one attempt. Ids of gradings are those of old attempts.
INSERT INTO student (id, name, repository, branch, section, team, position, present)
SELECT o.student, o.student_name, o.repository, o.branch, '', '',
    row_number() OVER (ORDER BY o.student) - 1, 1
FROM old_attempt o WHERE o.id = (SELECT max(id) FROM old_attempt l WHERE l.student = o.student);

INSERT INTO exercise (id, title, position, weight, deadline, max_score, version, counts, attempt_limit,
    present)
SELECT o.exercise, o.exercise, row_number() OVER (ORDER BY o.exercise) - 1, 1, NULL, o.max_score,
    o.exercise_sha256, 'best', 0, 1
FROM old_attempt o WHERE o.id = (SELECT max(id) FROM old_attempt l WHERE l.exercise = o.exercise);

INSERT INTO attempt (id, student, exercise, exercise_version, repository, branch, commit_id, path,
    submission_sha256, authored_at, committed_at, fetched_at, date_flags)
SELECT min(id), student, exercise, exercise_sha256, repository, branch, commit_id, path,
    submission_sha256, NULL, committed_at, NULL, ''
FROM old_attempt
GROUP BY student, exercise, commit_id, path, submission_sha256, exercise_sha256;

INSERT INTO grading (id, attempt, run, graded_at, tool_version, engine, device, jail, seed, score,
    max_score, passed, verdict, message, report, report_bytes, report_sha256)
SELECT o.id, a.id, NULL, o.graded_at, o.tool_version, o.engine, '', o.jail, o.seed, o.score,
    o.max_score, o.passed, o.verdict, o.message, warpgrade_pack(o.report),
    length(CAST(o.report AS BLOB)), warpgrade_sha256(o.report)
FROM old_attempt o JOIN attempt a ON a.student = o.student AND a.exercise = o.exercise
    AND a.commit_id = o.commit_id AND a.path = o.path
    AND a.submission_sha256 = o.submission_sha256 AND a.exercise_version = o.exercise_sha256;

-- What was graded last was handed in last: a branch may go back.
INSERT INTO choice (attempt, run, chosen_at, pinned)
SELECT attempt, NULL, max(graded_at), 0 FROM grading GROUP BY attempt ORDER BY max(graded_at), attempt;

INSERT INTO case_result (grading, position, name, case_group, verdict, score, max_score, message)
SELECT attempt_id, position, name, case_group, verdict, score, max_score, message
FROM old_case_result;

DROP TABLE old_case_result;
DROP TABLE old_attempt;
