import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, type OwnCheck } from '../own-client.ts'
import { psqlOutput, runPsql } from './run-psql.ts'

const slow = 'select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0'

/** Scripts, variables, errors, transactions, copies. */
export const scriptChecks: readonly OwnCheck[] = [
  check('psql prints a table', async ({ target }) => {
    const printed = await psqlOutput(
      target,
      'select id, name from main.folders where id <= 2 order by id;',
      [],
    )
    equal(printed, ' id | name \n----+------\n  1 | root\n  2 | docs\n(2 rows)\n\n')
  }),
  check('psql prints CSV, HTML and one column after the other', async ({ target }) => {
    const select = 'select id, name from main.folders where id = 1'
    equal(await psqlOutput(target, select, ['--csv']), 'id,name\n1,root\n')
    match(await psqlOutput(target, select, ['-H']), /<td align="left">root<\/td>/)
    equal(
      await psqlOutput(target, `${select} \\gx`, []),
      '-[ RECORD 1 ]\nid   | 1\nname | root\n\n',
    )
  }),
  check('psql prints command tags', async ({ target, freshId }) => {
    const id = freshId()
    const script = [
      `insert into main.scratch (id, name) values (${id}, 'x');`,
      `update main.scratch set name = 'y' where id = ${id};`,
      `delete from main.scratch where id = ${id};`,
      "begin; savepoint s; release s; commit; set timezone to 'UTC'; reset all; discard all;",
      'start transaction; rollback; prepare p as select 1; deallocate p; deallocate all;',
    ].join('\n')
    const tags =
      'INSERT 0 1|UPDATE 1|DELETE 1|BEGIN|SAVEPOINT|RELEASE|COMMIT|SET|RESET|DISCARD ALL|START TRANSACTION|ROLLBACK|PREPARE|DEALLOCATE|DEALLOCATE ALL'
    equal(await psqlOutput(target, script, []), `${tags.split('|').join('\n')}\n`)
  }),
  check('psql runs several statements of one text', async ({ target }) => {
    equal(await psqlOutput(target, 'select 1 \\; select 2 \\; select 3;'), '1\n2\n3\n')
  }),
  check('psql runs several commands', async ({ target }) => {
    const { stdout } = await runPsql(target, {
      words: ['-At', '-c', 'select 1; select 2', '-c', 'select 3'],
    })
    equal(stdout, '1\n2\n3\n')
  }),
  check('psql ignores empty statements and comments', async ({ target }) => {
    equal(
      await psqlOutput(target, ';;\n-- nothing\n/* nothing /* nested */ */;\nselect 1;;'),
      '1\n',
    )
  }),
  check('psql quotes variables', async ({ target }) => {
    const script = `\\set x 'it''s'\n\\set col name\nselect :'x', :"col" from main.folders where id = 1`
    equal(await psqlOutput(target, script), "it's|root\n")
  }),
  check('psql keeps results in variables', async ({ target }) => {
    const script =
      'select id, name from main.folders where id = 2 \\gset f_\n\\echo :f_id :f_name :ROW_COUNT'
    equal(await psqlOutput(target, script), '2 docs 1\n')
  }),
  check('psql executes the statements of a result', async ({ target }) => {
    const script =
      "select format('select %s + id from main.folders where id = 1', id) from main.folders where id <= 3 order by id \\gexec"
    equal(await psqlOutput(target, script, ['-At']), '2\n3\n4\n')
  }),
  check('psql describes a statement without running it', async ({ target }) => {
    const script =
      'select id, company_name, credit_limit, email, created_at, count(*) from main.customers group by id \\gdesc'
    equal(
      await psqlOutput(target, script),
      'id|integer\ncompany_name|text\ncredit_limit|numeric(10,2)\nemail|character varying(120)\ncreated_at|timestamp without time zone\ncount|bigint\n',
    )
  }),
  check('psql turns rows into columns', async ({ target }) => {
    const script =
      "select status, extract(year from order_date)::int as year, count(*) from main.orders where status in ('new', 'paid') group by 1, 2 order by 1, 2 \\crosstabview"
    match(await psqlOutput(target, script, []), /status \| 2023 \| 2024/)
  }),
  check('psql branches', async ({ target }) => {
    const script =
      'select count(*) > 5 as many from main.orders \\gset\n\\if :many\n\\echo many\n\\else\n\\echo few\n\\endif'
    equal(await psqlOutput(target, script), 'many\n')
  }),
  check('psql shows where an error is', async ({ target }) => {
    const { stderr } = await runPsql(target, { script: 'select id,\n  nothing\nfrom main.orders;' })
    match(stderr, /^ERROR: {2}column "nothing" does not exist\nLINE 2: {3}nothing\n {10}\^\n/)
  }),
  check('psql shows where an error is behind wide characters', async ({ target }) => {
    const { stderr } = await runPsql(target, { script: "select 'äöü', nothing from main.orders;" })
    match(stderr, /\nLINE 1: select 'äöü', nothing from main.orders;\n {22}\^\n/)
  }),
  check('psql shows where a syntax error is', async ({ target }) => {
    const { stderr } = await runPsql(target, { script: 'select * form main.orders;' })
    match(
      stderr,
      /^ERROR: {2}syntax error at or near "form"\nLINE 1: select \* form main.orders;\n {17}\^\n/,
    )
  }),
  check('psql names a relation that does not exist', async ({ target }) => {
    const { stderr } = await runPsql(target, { script: 'select * from main.nowhere;' })
    match(
      stderr,
      /^ERROR: {2}relation "main.nowhere" does not exist\nLINE 1: select \* from main.nowhere;\n {22}\^\n/,
    )
  }),
  check('psql shows codes of errors', async ({ target }) => {
    const { stderr } = await runPsql(target, {
      script: '\\set VERBOSITY verbose\nselect 1 / (id - id) from main.tags;',
    })
    match(stderr, /^ERROR: {2}22012: division by zero/)
    const told = await runPsql(target, {
      script: 'select nothing;\n\\errverbose\n\\echo :LAST_ERROR_SQLSTATE :SQLSTATE',
    })
    match(told.stdout, /^42703 42703\n|42703: column "nothing" does not exist/)
  }),
  check('psql stops at an error when told to', async ({ target }) => {
    const { stdout, status } = await runPsql(target, {
      words: ['-At', '-v', 'ON_ERROR_STOP=1'],
      script: 'select 1; select nothing; select 2;',
    })
    deepEqual([stdout, status], ['1\n', 3])
  }),
  check('psql goes on after an error', async ({ target }) => {
    const { stdout, status } = await runPsql(target, {
      script: 'select 1;\nselect nothing;\nselect 2;',
    })
    deepEqual([stdout, status], ['1\n2\n', 0])
  }),
  check('psql takes statements back one by one in a transaction', async ({ target, freshId }) => {
    const id = freshId()
    const script = `\\set ON_ERROR_ROLLBACK on\nbegin;\ninsert into main.scratch (id, name) values (${id}, 'x');\nselect nothing;\ninsert into main.scratch (id, name) values (${id}, 'x');\ncommit;\nselect count(*) from main.scratch where id = ${id};`
    const { stdout, stderr } = await runPsql(target, { script, words: ['-Atq'] })
    equal(stdout, '1\n')
    equal(stderr.match(/ERROR/g)?.length, 2)
  }),
  check('psql leaves a failed transaction', async ({ target }) => {
    const { stdout, stderr } = await runPsql(target, {
      script: 'begin;\nselect nothing;\nselect 1;\ncommit;\nselect 2;',
    })
    equal(stdout, 'BEGIN\nROLLBACK\n2\n')
    match(stderr, /current transaction is aborted, commands ignored until end of transaction block/)
  }),
  check('psql works without autocommit', async ({ target, freshId }) => {
    const id = freshId()
    const script = `\\set AUTOCOMMIT off\ninsert into main.scratch (id, name) values (${id}, 'x');\nrollback;\nselect count(*) from main.scratch where id = ${id};`
    equal(await psqlOutput(target, script, ['-Atq']), '0\n')
  }),
  check('psql runs a file as one transaction', async ({ target, freshId }) => {
    const folder = mkdtempSync(join(tmpdir(), 'wire-'))
    const [id, file] = [freshId(), join(folder, 'script.sql')]
    writeFileSync(
      file,
      `insert into main.scratch (id, name) values (${id}, 'x');\nselect nothing;\n`,
    )
    const failed = await runPsql(target, { words: ['-Atq1', '-v', 'ON_ERROR_STOP=1', '-f', file] })
    equal(failed.status, 3)
    equal(await psqlOutput(target, `select count(*) from main.scratch where id = ${id}`), '0\n')
    rmSync(folder, { recursive: true })
  }),
  check('psql is warned', async ({ target }) => {
    const { stderr } = await runPsql(target, {
      script: 'begin; begin; rollback; rollback; commit;',
    })
    equal(
      stderr,
      'WARNING:  there is already a transaction in progress\nWARNING:  there is no transaction in progress\nWARNING:  there is no transaction in progress\n',
    )
  }),
  check('psql hears of a failed text of several statements once', async ({ target }) => {
    const { stdout, stderr } = await runPsql(target, {
      words: ['-At', '-c', 'select 1; select nothing; select 2'],
    })
    equal(stdout.trim() === '1' || stdout === '', true)
    equal(stderr.match(/ERROR/g)?.length, 1)
  }),
  check('psql fetches in pieces', async ({ target }) => {
    const printed = await psqlOutput(
      target,
      '\\set FETCH_COUNT 1000\nselect n from main.numbers order by n',
      ['-At'],
    )
    equal(printed.trim().split('\n').length, 100_000)
  }),
  check('psql prints 100 000 rows', async ({ target }) => {
    const printed = await psqlOutput(target, 'select n, label from main.numbers order by n')
    equal(printed.trim().split('\n').at(-1), '100000|number 100000')
  }),
  check('psql is interrupted', async ({ target }) => {
    const began = performance.now()
    const { stderr } = await runPsql(target, {
      words: ['-At', '-c', '\\echo soon', '-c', slow],
      interrupts: true,
    })
    match(stderr, /canceling statement due to user request/)
    ok(performance.now() - began < 10_000)
  }),
  check('psql runs a statement again and again', async ({ target }) => {
    const script = 'select id from main.folders where id = 1 \\watch 0.05\n'
    const { stdout } = await runPsql(target, { script, interrupts: true })
    ok((stdout.match(/^1$/gm)?.length ?? 0) > 1, stdout)
  }),
  check('psql is stopped by the statement timeout', async ({ target }) => {
    const { stdout, stderr } = await runPsql(target, {
      script: `set statement_timeout = 200;\n${slow};\nselect 1;`,
      words: ['-Atq'],
    })
    equal(stdout, '1\n')
    match(stderr, /canceling statement due to statement timeout/)
  }),
  check('psql copies out', async ({ target }) => {
    equal(
      await psqlOutput(
        target,
        'copy (select id, name from main.folders where id <= 2 order by id) to stdout;',
      ),
      '1\troot\n2\tdocs\n',
    )
    equal(
      await psqlOutput(target, 'copy main.folders (id) to stdout csv header;').then(
        (text) => text.split('\n')[0],
      ),
      'id',
    )
  }),
  check('psql copies in from its script', async ({ target, freshId }) => {
    const id = freshId()
    const script = `copy main.scratch (id, name, note) from stdin;\n${id}\ta\\tb\t\\N\n\\.\nselect name, note is null from main.scratch where id = ${id};`
    equal(await psqlOutput(target, script), 'COPY 1\na\tb|t\n')
  }),
  check('psql copies from and to files of its own', async ({ target, freshId }) => {
    const folder = mkdtempSync(join(tmpdir(), 'wire-'))
    const [id, from, to] = [freshId(), join(folder, 'in.csv'), join(folder, 'out.csv')]
    writeFileSync(from, `id,name\n${id},"a ""b"""\n`)
    const script = `\\copy main.scratch (id, name) from '${from}' with (format csv, header)\n\\copy (select id, name from main.scratch where id = ${id}) to '${to}' csv\n`
    equal(await psqlOutput(target, script), 'COPY 1\nCOPY 1\n')
    equal(readFileSync(to, 'utf8'), `${id},"a ""b"""\n`)
    rmSync(folder, { recursive: true })
  }),
  check('psql copies from and to programs of its own', async ({ target, freshId }) => {
    const id = freshId()
    const script = `\\copy main.scratch (id, name) from program 'printf "${id}\\tx\\n"'\n\\copy (select count(*) from main.scratch where id = ${id}) to program 'cat'\n`
    // What the program prints may come before what psql prints, or after it.
    equal((await psqlOutput(target, script)).split('\n').toSorted().join(' '), ' 1 COPY 1 COPY 1')
  }),
  check('psql prepares and executes', async ({ target }) => {
    const script =
      'prepare p (int4, text) as select id from main.folders where id = $1 or name = $2 order by id;\nexecute p(1, $$docs$$);\nexecute p(null, null);'
    equal(await psqlOutput(target, script, ['-Atq']), '1\n2\n')
  }),
  check('psql reads with a cursor', async ({ target }) => {
    const script =
      'begin;\ndeclare c cursor for select id from main.orders order by id;\nfetch 2 from c;\nmove 5 in c;\nfetch c;\nclose c;\ncommit;'
    equal(
      await psqlOutput(target, script),
      'BEGIN\nDECLARE CURSOR\n1\n2\nMOVE 5\n8\nCLOSE CURSOR\nCOMMIT\n',
    )
  }),
  check('psql is told that a cursor needs a transaction', async ({ target }) => {
    const { stderr } = await runPsql(target, { script: 'declare c cursor for select 1;' })
    match(stderr, /DECLARE CURSOR can only be used in transaction blocks/)
  }),
  check('psql shows and changes settings', async ({ target }) => {
    const script =
      "show timezone; set time zone 'Asia/Tokyo'; show time zone; set session timezone = 'UTC'; show timezone; set application_name to wire; show application_name; show server_encoding; show standard_conforming_strings;"
    const shown = (await psqlOutput(target, script, ['-Atq'])).trim().split('\n')
    deepEqual(shown.slice(1), ['Asia/Tokyo', 'UTC', 'wire', 'UTF8', 'on'])
  }),
  check('psql shows all settings', async ({ target }) => {
    const shown = await psqlOutput(target, 'show all')
    match(shown, /^client_encoding\|UTF8\|/m)
    match(await psqlOutput(target, '\\dconfig timezone'), /^TimeZone\|/im)
  }),
  check('psql shows moments in the time zone', async ({ target }) => {
    const script =
      "set timezone to 'Asia/Kolkata';\nselect c_timestamptz from main.type_samples where label = 'zero';\nselect timestamptz '2024-01-01 00:00+00';"
    equal(
      await psqlOutput(target, script, ['-Atq']),
      '2000-01-01 05:30:00+05:30\n2024-01-01 05:30:00+05:30\n',
    )
  }),
  check('psql explains a statement, and does not run it', async ({ target }) => {
    const script =
      'explain delete from main.numbers where n = 1;\nselect count(*) from main.numbers where n = 1;'
    match(await psqlOutput(target, script, ['-Atq']), /numbers[\s\S]*\n1\n$/)
  }),
  check(
    'psql changes nothing that it may not',
    async ({ target }) => {
      const { stderr } = await runPsql(target, {
        script: 'create table main.t (id int);\nvacuum;\nlock table main.tags;\n',
      })
      equal(stderr.match(/^ERROR/gm)?.length, 3)
    },
    'engine',
  ),
]
