CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, c REAL);
CREATE TABLE u(k INTEGER, v TEXT);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ROWS)
   INSERT INTO t SELECT i, (i * 7919) % 10007, 'row ' || ((i * 31) % 977), i / 3.0 FROM n;
INSERT INTO u SELECT a % 100, substr(b, 1, 6) FROM t WHERE id % 3 = 0;
CREATE INDEX ta ON t(a);
CREATE INDEX uk ON u(k);
COMMIT;
SELECT count(*), sum(a), avg(c) FROM t WHERE b LIKE '%7%';
SELECT b, count(*) AS n FROM t GROUP BY b ORDER BY n DESC, b LIMIT 5;
SELECT count(*) FROM t JOIN u ON u.k = t.a WHERE t.c > 10;
SELECT a, upper(b), round(c, 1) FROM t ORDER BY c DESC, b LIMIT 5;
UPDATE t SET a = a + 1, b = b || 'x' WHERE a BETWEEN 1000 AND 4000;
DELETE FROM t WHERE id % 4 = 1;
SELECT count(DISTINCT a), max(length(b)), min(c) FROM t;
