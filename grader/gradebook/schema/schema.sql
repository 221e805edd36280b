-- The gradebook, version 3. Facts (attempt, grading, case_result, penalty, choice, absence, override,
-- withdrawal) are only ever added: triggers forbid the rest. What the course says today (student,
-- student_field, exercise) is replaced by every run, but no row of it is removed either. The views
-- are the one place where grades are computed: warpgrade itself reads them. Times are seconds since
-- 1970. README.md beside this folder has a line for each table and view.

CREATE TABLE student (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    repository TEXT NOT NULL, -- as shown: without passwords
    branch TEXT NOT NULL,
    section TEXT NOT NULL,
    team TEXT NOT NULL,
    position INTEGER NOT NULL,                       -- in the roster
    present INTEGER NOT NULL CHECK (present IN (0, 1)) -- in the roster of the last run
);

-- Every other column of the roster, as it stands there.
CREATE TABLE student_field (
    student TEXT NOT NULL REFERENCES student (id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (student, position)
);

CREATE TABLE exercise (
    id TEXT PRIMARY KEY NOT NULL,
    title TEXT NOT NULL,
    position INTEGER NOT NULL, -- in the course
    weight REAL NOT NULL CHECK (weight >= 0),
    deadline INTEGER, -- NULL: none
    max_score REAL NOT NULL,
    version TEXT NOT NULL, -- hash of all that decides points
    counts TEXT NOT NULL CHECK (counts IN ('best', 'last')),
    attempt_limit INTEGER NOT NULL CHECK (attempt_limit >= 0), -- different files; 0: no limit
    present INTEGER NOT NULL CHECK (present IN (0, 1))
);

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL,
    finished_at INTEGER, -- NULL: it runs, or was ended from outside
    tool_version TEXT NOT NULL,
    course_file TEXT NOT NULL,
    course_sha256 TEXT NOT NULL,
    options TEXT NOT NULL, -- JSON: the command's options and the course's policy
    seed INTEGER NOT NULL, -- 64 bits: a negative number is one above 2^63
    who TEXT NOT NULL
);

-- What was handed in: one commit's file, for one version of an exercise.
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL REFERENCES student (id),
    exercise TEXT NOT NULL REFERENCES exercise (id),
    exercise_version TEXT NOT NULL,
    repository TEXT NOT NULL,
    branch TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    path TEXT NOT NULL,
    submission_sha256 TEXT NOT NULL, -- of the file's bytes
    authored_at INTEGER,             -- what the commit says; anybody can set it
    committed_at INTEGER,
    fetched_at INTEGER, -- when warpgrade first saw it
    date_flags TEXT NOT NULL, -- what is odd about the commit's dates; '' where nothing is
    UNIQUE (student, exercise, commit_id, path, submission_sha256, exercise_version)
);

-- An attempt's result; graded again, it gets another one, and the latest counts.
CREATE TABLE grading (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    run INTEGER REFERENCES run (id), -- NULL: of no batch
    graded_at INTEGER NOT NULL,
    tool_version TEXT NOT NULL,
    engine TEXT NOT NULL,
    device TEXT NOT NULL,
    jail TEXT NOT NULL,
    seed INTEGER NOT NULL,
    score REAL NOT NULL,
    max_score REAL NOT NULL,
    passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
    verdict TEXT NOT NULL,
    message TEXT NOT NULL,
    report BLOB NOT NULL, -- JSON, as `grade --report json` writes it, compressed by zlib
    report_bytes INTEGER NOT NULL,
    report_sha256 TEXT NOT NULL -- of the JSON
);
CREATE INDEX grading_of_attempt ON grading (attempt);
CREATE INDEX attempt_of_submission ON attempt (submission_sha256, exercise);

CREATE TABLE case_result (
    grading INTEGER NOT NULL REFERENCES grading (id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    case_group TEXT NOT NULL,
    verdict TEXT NOT NULL,
    score REAL NOT NULL,
    max_score REAL NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (grading, position)
) WITHOUT ROWID;

-- What is taken off an attempt's points; the latest row counts, one of 0 percent takes a penalty back.
CREATE TABLE penalty (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    run INTEGER REFERENCES run (id),
    recorded_at INTEGER NOT NULL,
    percent REAL NOT NULL CHECK (percent BETWEEN 0 AND 100), -- of the points
    days_late REAL NOT NULL,
    too_late INTEGER NOT NULL CHECK (too_late IN (0, 1)), -- after the last moment that counts
    reason TEXT NOT NULL
);
CREATE INDEX penalty_of_attempt ON penalty (attempt);

-- The commit that a run found to count. A row is added where it differs from the last one.
CREATE TABLE choice (
    id INTEGER PRIMARY KEY,
    attempt INTEGER NOT NULL REFERENCES attempt (id),
    run INTEGER REFERENCES run (id),
    chosen_at INTEGER NOT NULL,
    pinned INTEGER NOT NULL CHECK (pinned IN (0, 1)) -- the course names this commit: it counts
);
CREATE INDEX choice_of_attempt ON choice (attempt);

-- Nothing could be graded, and why. A row is added where it differs from the last one.
CREATE TABLE absence (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL REFERENCES student (id),
    exercise TEXT NOT NULL REFERENCES exercise (id),
    run INTEGER REFERENCES run (id),
    recorded_at INTEGER NOT NULL,
    state TEXT NOT NULL, -- 'not-submitted', 'unreadable' ...
    message TEXT NOT NULL
);
CREATE INDEX absence_of_student ON absence (student, exercise);

-- A person's decision; it replaces points and penalty. The latest one not withdrawn counts.
CREATE TABLE override (
    id INTEGER PRIMARY KEY,
    student TEXT NOT NULL REFERENCES student (id),
    exercise TEXT NOT NULL REFERENCES exercise (id),
    points REAL CHECK (points >= 0),
    percent REAL CHECK (percent >= 0), -- of the exercise's points
    who TEXT NOT NULL CHECK (who <> ''),
    why TEXT NOT NULL CHECK (why <> ''),
    decided_at INTEGER NOT NULL,
    CHECK ((points IS NULL) <> (percent IS NULL))
);
CREATE INDEX override_of_student ON override (student, exercise);

CREATE TABLE withdrawal (
    override INTEGER PRIMARY KEY NOT NULL REFERENCES override (id),
    who TEXT NOT NULL CHECK (who <> ''),
    why TEXT NOT NULL CHECK (why <> ''),
    decided_at INTEGER NOT NULL
);

-- Every attempt with its latest grading and penalty. `number`: the how-manieth different file of the
-- student's it is, in the order of `dated`: runs may have come to know them in another one.
-- `score` is exact. A grade has hundredths, rounded down as in every report (the millionth is a
-- double's noise): points less penalty are `final`, and totals are sums of what is shown.
CREATE VIEW attempt_result AS
SELECT a.student, a.exercise, a.id AS attempt, g.id AS grading, g.score,
    CAST(g.score * 100 + 1e-6 AS INTEGER) / 100.0 AS points, g.max_score,
    coalesce(p.percent, 0) AS penalty_percent,
    round(CAST(g.score * 100 + 1e-6 AS INTEGER) / 100.0
        - CAST(g.score * (100 - coalesce(p.percent, 0)) + 1e-6 AS INTEGER) / 100.0, 2) AS penalty,
    CAST(g.score * (100 - coalesce(p.percent, 0)) + 1e-6 AS INTEGER) / 100.0 AS final,
    coalesce(p.days_late, 0) AS days_late, coalesce(p.too_late, 0) AS too_late,
    coalesce(p.reason, '') AS penalty_reason,
    (SELECT max(c.id) FROM choice c WHERE c.attempt = a.id) AS chosen,
    EXISTS (SELECT 1 FROM choice c WHERE c.attempt = a.id AND c.pinned AND c.id = (SELECT max(l.id)
        FROM attempt o CROSS JOIN choice l -- in this order: else all choices are looked through
        WHERE o.student = a.student AND o.exercise = a.exercise AND l.attempt = o.id)) AS pinned,
    coalesce(a.committed_at, a.fetched_at, 0) AS dated,
    (SELECT count(DISTINCT b.submission_sha256) FROM attempt b
     WHERE b.student = a.student AND b.exercise = a.exercise
         AND (coalesce(b.committed_at, b.fetched_at, 0), b.id) <=
         (SELECT coalesce(f.committed_at, f.fetched_at, 0) AS dated, f.id FROM attempt f
          WHERE f.student = a.student
          AND f.exercise = a.exercise -- `+`: not by the index of hashes, which many students may share
          AND +f.submission_sha256 = a.submission_sha256 ORDER BY dated, f.id LIMIT 1)) AS number,
    a.exercise_version, a.repository, a.branch, a.commit_id, a.path, a.submission_sha256,
    a.authored_at, a.committed_at, a.fetched_at, a.date_flags,
    g.graded_at, g.tool_version, g.engine, g.device, g.jail, g.seed, g.passed, g.verdict, g.message
FROM attempt a
JOIN grading g ON g.id = (SELECT max(id) FROM grading WHERE attempt = a.id)
LEFT JOIN penalty p ON p.id = (SELECT max(id) FROM penalty WHERE attempt = a.id);

-- The same with what decides which attempt counts: of those that nothing excludes the pinned one, else
-- the largest share of the points or the one that was chosen last, else the first by its date.
CREATE VIEW standing AS
SELECT t.*, e.counts, e.attempt_limit,
    CASE WHEN e.counts = 'last' OR t.max_score <= 0 THEN 0 ELSE t.final / t.max_score END AS share,
    CASE WHEN e.counts = 'last' THEN t.chosen ELSE 0 END AS order_chosen,
    CASE WHEN EXISTS (SELECT 1 FROM attempt n CROSS JOIN choice c
            WHERE c.attempt = n.id AND n.student = t.student AND n.exercise = t.exercise
            AND n.commit_id = t.commit_id AND n.path = t.path
            AND n.submission_sha256 = t.submission_sha256 AND n.id <> t.attempt
            AND c.id > t.chosen)
        THEN 'graded again with another version of the exercise'
    WHEN t.too_late AND NOT t.pinned THEN t.penalty_reason
    WHEN e.attempt_limit > 0 AND t.number > e.attempt_limit AND NOT t.pinned
        THEN 'over the limit of ' || e.attempt_limit || ' attempts'
    ELSE '' END AS excluded
FROM attempt_result t JOIN exercise e ON e.id = t.exercise;

-- The override that counts, of each student and exercise that has one.
CREATE VIEW decision AS
SELECT o.* FROM override o
WHERE o.id = (SELECT max(n.id) FROM override n WHERE n.student = o.student
    AND n.exercise = o.exercise AND n.id NOT IN (SELECT override FROM withdrawal));

-- One row a student and exercise. `final` is the grade in points, 0 where nothing was handed in. It is
-- 'late' where there are attempts and none of them counts: the first file in time always does.
CREATE VIEW grades AS
SELECT b.student, b.name, b.exercise, b.state, b.points, b.penalty, b.final, b.max_score,
    CASE WHEN b.max_score > 0 THEN round(100 * b.final / b.max_score, 9) ELSE 0 END AS percent,
    b.attempts, b.submissions, b.verdict, b.passed, b.override, b.message, b.penalty_reason,
    b.commit_id, b.committed_at, b.graded_at, b.weight, b.attempt, b.grading, b.present
FROM (
    SELECT s.id AS student, s.name AS name, e.id AS exercise,
        CASE WHEN d.id IS NOT NULL THEN 'override'
            WHEN t.id IS NOT NULL THEN 'graded'
            WHEN EXISTS (SELECT 1 FROM standing c WHERE c.student = s.id AND c.exercise = e.id)
                THEN 'late'
            ELSE coalesce((SELECT a.state FROM absence a WHERE a.student = s.id AND a.exercise = e.id
                ORDER BY a.id DESC LIMIT 1), 'not-graded') END AS state,
        (SELECT r.points FROM attempt_result r WHERE r.attempt = t.id) AS points,
        (SELECT r.penalty FROM attempt_result r WHERE r.attempt = t.id) AS penalty,
        coalesce(d.points, CAST(d.percent * coalesce(g.max_score, e.max_score) + 1e-6 AS INTEGER) / 100.0,
            (SELECT r.final FROM attempt_result r WHERE r.attempt = t.id), 0) AS final,
        coalesce(g.max_score, e.max_score) AS max_score,
        (SELECT count(*) FROM attempt a WHERE a.student = s.id AND a.exercise = e.id) AS attempts,
        (SELECT count(DISTINCT a.submission_sha256) FROM attempt a
            WHERE a.student = s.id AND a.exercise = e.id) AS submissions,
        coalesce(g.verdict, '') AS verdict, coalesce(g.passed, 0) AS passed,
        coalesce(d.who || ': ' || d.why, '') AS override,
        coalesce(g.message, (SELECT c.excluded FROM standing c WHERE c.student = s.id
            AND c.exercise = e.id ORDER BY c.chosen DESC LIMIT 1), (SELECT a.message FROM absence a WHERE a.student = s.id
            AND a.exercise = e.id ORDER BY a.id DESC LIMIT 1), '') AS message,
        coalesce((SELECT r.penalty_reason FROM attempt_result r WHERE r.attempt = t.id), '')
            AS penalty_reason,
        coalesce(t.commit_id, '') AS commit_id, t.committed_at, g.graded_at, e.weight,
        t.id AS attempt, g.id AS grading, s.present AND e.present AS present,
        s.position AS row, e.position AS col
    FROM student s CROSS JOIN exercise e
    LEFT JOIN attempt t ON t.id = (SELECT c.attempt FROM standing c
        WHERE c.student = s.id AND c.exercise = e.id AND c.excluded = ''
        ORDER BY c.pinned DESC, c.share DESC, c.order_chosen DESC, c.dated, c.attempt LIMIT 1)
    LEFT JOIN grading g ON g.id = (SELECT max(n.id) FROM grading n WHERE n.attempt = t.id)
    LEFT JOIN override d ON d.id = (SELECT n.id FROM decision n
        WHERE n.student = s.id AND n.exercise = e.id)
) b
ORDER BY b.row, b.student, b.col, b.exercise;

-- One row a student of the roster, over the exercises of the course. `percent` is weighted.
CREATE VIEW totals AS
SELECT g.student, g.name, round(sum(g.final), 9) AS points, round(sum(g.max_score), 9) AS max_score,
    CASE WHEN sum(g.weight) > 0 THEN round(sum(g.weight * g.percent) / sum(g.weight), 9) ELSE 0 END
        AS percent,
    sum(g.state IN ('graded', 'override')) AS graded,
    sum(g.state NOT IN ('graded', 'override')) AS missing, count(*) AS exercises
FROM grades g JOIN student s ON s.id = g.student
WHERE g.present GROUP BY g.student ORDER BY s.position, g.student;

-- All that happened, in the order of time.
CREATE VIEW history AS
SELECT coalesce(a.fetched_at, (SELECT min(graded_at) FROM grading g WHERE g.attempt = a.id)) AS at,
    'attempt' AS kind, a.student, a.exercise,
    'commit ' || a.commit_id || ', ' || a.path || CASE WHEN a.date_flags <> '' THEN
        ' (' || a.date_flags || ')' ELSE '' END AS what,
    '' AS who, 0 AS step, a.id AS id
FROM attempt a
UNION ALL
SELECT g.graded_at, 'grading', a.student, a.exercise,
    printf('%g of %g, %s, warpgrade %s, %s', g.score, g.max_score, g.verdict, g.tool_version, g.engine),
    '', 1, g.id
FROM grading g JOIN attempt a ON a.id = g.attempt
UNION ALL
SELECT p.recorded_at, 'penalty', a.student, a.exercise,
    CASE WHEN p.percent = 0 AND p.reason = '' THEN 'none any more'
        ELSE printf('%g %%: ', p.percent) || p.reason END, '', 2, p.id
FROM penalty p JOIN attempt a ON a.id = p.attempt
UNION ALL
SELECT c.chosen_at, 'choice', a.student, a.exercise,
    'commit ' || a.commit_id || CASE WHEN c.pinned THEN ' is pinned' ELSE ' is handed in' END, '', 3, c.id
FROM choice c JOIN attempt a ON a.id = c.attempt
WHERE c.pinned OR c.id > (SELECT min(f.id) FROM choice f WHERE f.attempt = c.attempt)
UNION ALL
SELECT n.recorded_at, 'absence', n.student, n.exercise, n.state || ': ' || n.message, '', 4, n.id
FROM absence n
UNION ALL
SELECT o.decided_at, 'override', o.student, o.exercise,
    CASE WHEN o.points IS NULL THEN printf('%g %%: ', o.percent) ELSE printf('%g points: ', o.points) END
        || o.why, o.who, 5, o.id
FROM override o
UNION ALL
SELECT w.decided_at, 'withdrawal', o.student, o.exercise, w.why, w.who, 6, o.id
FROM withdrawal w JOIN override o ON o.id = w.override
UNION ALL
SELECT r.started_at, 'run', '', '', 'warpgrade ' || r.tool_version || ', ' || r.course_file
    || CASE WHEN r.finished_at IS NULL THEN ', not finished' ELSE '' END, r.who, -1, r.id
FROM run r
ORDER BY 1, 7, 8;

CREATE TRIGGER run_ends_once BEFORE UPDATE ON run
WHEN OLD.finished_at IS NOT NULL OR NEW.finished_at IS NULL OR NEW.id <> OLD.id
    OR NEW.started_at <> OLD.started_at OR NEW.tool_version <> OLD.tool_version
    OR NEW.course_file <> OLD.course_file OR NEW.course_sha256 <> OLD.course_sha256
    OR NEW.options <> OLD.options OR NEW.seed <> OLD.seed OR NEW.who <> OLD.who
BEGIN SELECT raise(ABORT, 'a run is changed only by its end'); END;
CREATE TRIGGER attempt_is_not_changed BEFORE UPDATE ON attempt
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER grading_is_not_changed BEFORE UPDATE ON grading
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER case_result_is_not_changed BEFORE UPDATE ON case_result
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER penalty_is_not_changed BEFORE UPDATE ON penalty
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER choice_is_not_changed BEFORE UPDATE ON choice
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER absence_is_not_changed BEFORE UPDATE ON absence
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER override_is_not_changed BEFORE UPDATE ON override
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER withdrawal_is_not_changed BEFORE UPDATE ON withdrawal
BEGIN SELECT raise(ABORT, 'the gradebook is only added to'); END;
CREATE TRIGGER student_is_not_deleted BEFORE DELETE ON student
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER exercise_is_not_deleted BEFORE DELETE ON exercise
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER run_is_not_deleted BEFORE DELETE ON run
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER attempt_is_not_deleted BEFORE DELETE ON attempt
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER grading_is_not_deleted BEFORE DELETE ON grading
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER case_result_is_not_deleted BEFORE DELETE ON case_result
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER penalty_is_not_deleted BEFORE DELETE ON penalty
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER choice_is_not_deleted BEFORE DELETE ON choice
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER absence_is_not_deleted BEFORE DELETE ON absence
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER override_is_not_deleted BEFORE DELETE ON override
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
CREATE TRIGGER withdrawal_is_not_deleted BEFORE DELETE ON withdrawal
BEGIN SELECT raise(ABORT, 'nothing is deleted from the gradebook'); END;
