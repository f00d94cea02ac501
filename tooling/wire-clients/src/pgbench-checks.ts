import { equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findPgbench } from './find-clients.ts'
import { check, type OwnCheck } from './own-client.ts'
import { connectionEnvironment } from './psql/run-psql.ts'
import type { WireTarget } from './wire-target.ts'

const select =
  '\\set id random(1, 300)\nselect id, status, freight from main.orders where id = :id;\n'
const write = (firstId: number): string => `\\set id random(1, 1000000) + ${firstId}
begin;
select n from main.counters where key = 'hits';
insert into main.memberships (team, member) values ('bench', 'm' || :id || '-' || :client_id) on conflict do nothing;
savepoint s;
select count(*) from main.memberships where team = 'bench';
rollback to s;
rollback;
`
const pipelined = `\\set id random(1, 300)
\\startpipeline
begin;
select id from main.orders where id = :id;
select count(*) from main.order_items where order_id = :id;
select 1;
commit;
\\endpipeline
`

/** pgbench: runs the same script repeatedly with each protocol. */
export const pgbenchChecks: readonly OwnCheck[] = [
  ...['simple', 'extended', 'prepared'].flatMap((mode) => [
    check(`pgbench reads over the ${mode} protocol`, async ({ target }) => {
      await completes(target, select, ['-M', mode, '-c', '4', '-t', '50'], '200/200')
    }),
    check(`pgbench runs transactions over the ${mode} protocol`, async ({ target, freshId }) => {
      await completes(target, write(freshId()), ['-M', mode, '-c', '2', '-t', '10'], '20/20')
    }),
  ]),
  ...['extended', 'prepared'].map((mode) =>
    check(`pgbench sends pipelines over the ${mode} protocol`, async ({ target }) => {
      await completes(target, pipelined, ['-M', mode, '-c', '3', '-t', '30'], '90/90')
    }),
  ),
  ...['simple', 'extended', 'prepared'].flatMap((mode) =>
    ['tpcb-like', 'simple-update', 'select-only'].map((script) =>
      check(`pgbench runs its script ${script} over the ${mode} protocol`, async ({ target }) => {
        await completes(target, script, ['-M', mode, '-c', '2', '-t', '10'], '20/20')
      }),
    ),
  ),
  check('pgbench connects anew for each transaction', async ({ target }) => {
    await completes(target, select, ['-C', '-c', '2', '-t', '5'], '10/10')
  }),
  check('pgbench keeps results in variables', async ({ target }) => {
    const script =
      'select id as o, customer_id as c from main.orders where id = 5 \\gset x_\nselect company_name from main.customers where id = :x_c;\n'
    await completes(target, script, ['-M', 'extended', '-t', '10'], '10/10')
  }),
]

/** @param script text of one, or the name of a built-in script of pgbench */
async function completes(
  target: WireTarget,
  script: string,
  words: readonly string[],
  processed: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wire-pgbench-'))
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const child = spawn(
    findPgbench() ?? 'pgbench',
    ['-n', ...(script.includes('\n') ? ['-f', file] : ['-b', script]), ...words],
    {
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...connectionEnvironment(target) },
    },
  )
  const [report, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  rmSync(folder, { recursive: true })
  equal(status, 0, errors)
  match(report, new RegExp(`actually processed: ${processed}\\n`))
}
