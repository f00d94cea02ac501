import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, type OwnCheck } from '../own-client.ts'
import { urlOf } from '../wire-target.ts'
import { psqlOutput, runPsql } from './run-psql.ts'

/** Connections that succeed, and connections that are refused. */
export const connectionChecks: readonly OwnCheck[] = [
  check('psql connects by environment variables', async ({ target }) => {
    equal(await psqlOutput(target, 'select 1'), '1\n')
  }),
  check('psql connects by a URL', async ({ target }) => {
    const connection = [urlOf(target)]
    const { stdout } = await runPsql(target, {
      script: 'select current_user',
      connection,
      env: { PGUSER: '', PGPASSWORD: '', PGHOST: '', PGPORT: '', PGDATABASE: '' },
    })
    equal(stdout, `${target.user}\n`)
  }),
  check('psql connects by words', async ({ target }) => {
    const { host, port, user, database } = target
    const connection = [
      `host=${host} port=${port} user=${user} dbname=${database} sslmode=prefer connect_timeout=5`,
    ]
    const { stdout } = await runPsql(target, { script: 'select 2', connection })
    equal(stdout, '2\n')
  }),
  check('psql finds its password in a file', async ({ target }) => {
    const folder = mkdtempSync(join(tmpdir(), 'wire-'))
    const file = join(folder, 'pgpass')
    const secret = target.password.replace(/[\\:]/g, '\\$&')
    writeFileSync(file, `${target.host}:*:*:${target.user}:${secret}\n`, { mode: 0o600 })
    const { stdout, stderr } = await runPsql(target, {
      script: 'select 3',
      env: { PGPASSFILE: file, PGPASSWORD: '' },
    })
    rmSync(folder, { recursive: true })
    equal(stdout + stderr, '3\n')
  }),
  check('psql connects by a service file', async ({ target }) => {
    const folder = mkdtempSync(join(tmpdir(), 'wire-'))
    const file = join(folder, 'services')
    writeFileSync(
      file,
      `[wire]\nhost=${target.host}\nport=${target.port}\noptions=-c timezone=Asia/Tokyo\n`,
    )
    const env = { PGSERVICEFILE: file, PGSERVICE: 'wire', PGHOST: '', PGPORT: '' }
    const { stdout, stderr } = await runPsql(target, { script: 'show timezone', env })
    rmSync(folder, { recursive: true })
    equal(stdout + stderr, 'Asia/Tokyo\n')
  }),
  check('psql is refused with a wrong password', async ({ target }) => {
    const { stderr, status } = await runPsql(target, { env: { PGPASSWORD: 'wrong' } })
    equal(status, 2)
    match(stderr, /FATAL: {2}.*authentication failed/)
  }),
  check('psql asks for a password where none is given', async ({ target }) => {
    const { stderr, status } = await runPsql(target, { words: ['-w'], env: { PGPASSWORD: '' } })
    equal(status, 2)
    match(stderr, /no password supplied/)
  }),
  check('psql sends settings with PGOPTIONS', async ({ target }) => {
    const { stdout } = await runPsql(target, {
      script: 'show statement_timeout; show datestyle',
      env: { PGOPTIONS: '-c statement_timeout=5min -c datestyle=iso,ymd' },
    })
    equal(stdout, '5min\nISO, YMD\n')
  }),
  check('psql takes its settings from the environment', async ({ target }) => {
    const { stdout } = await runPsql(target, {
      script: 'show timezone; show application_name; show client_encoding',
      env: { PGTZ: 'Europe/Paris', PGAPPNAME: 'mine', PGCLIENTENCODING: 'UTF8' },
    })
    equal(stdout, 'Europe/Paris\nmine\nUTF8\n')
  }),
  check('psql tells about its connection', async ({ target }) => {
    const told = await psqlOutput(target, '\\conninfo')
    match(told, new RegExp(`connected to database "${target.database}" as user "${target.user}"`))
  }),
  check('psql connects anew', async ({ target }) => {
    const told = await psqlOutput(target, "set timezone to 'Asia/Tokyo';\n\\c -\nshow timezone")
    ok(!told.includes('Asia/Tokyo'), told)
  }),
  check('psql knows the version of the server', async ({ target }) => {
    const told = await psqlOutput(
      target,
      '\\echo :SERVER_VERSION_NUM :VERSION_NUM\nshow server_version_num',
    )
    const [shown, number] = told.trim().split('\n')
    equal(shown?.split(' ')[0], number)
  }),
  check('psql checks whether the server is ready', async ({ target }) => {
    const { stdout, status } = await runPsql(target, {
      words: ['-At', '-c', 'select pg_is_in_recovery()'],
    })
    deepEqual([stdout, status], ['f\n', 0])
  }),
  check('psql connects without TLS and prefers it', async ({ target }) => {
    for (const mode of ['disable', 'allow', 'prefer']) {
      const { stdout } = await runPsql(target, { script: 'select 4', env: { PGSSLMODE: mode } })
      equal(stdout, '4\n')
    }
  }),
  check('psql tries GSSAPI first and goes on without', async ({ target }) => {
    const { stdout } = await runPsql(target, {
      script: 'select 5',
      env: { PGGSSENCMODE: 'prefer' },
    })
    equal(stdout, '5\n')
  }),
  check('psql asks for a server that can be written to', async ({ target }) => {
    for (const attributes of ['any', 'read-write', 'primary', 'prefer-standby']) {
      const { stdout } = await runPsql(target, {
        script: 'select 6',
        env: { PGTARGETSESSIONATTRS: attributes },
      })
      equal(stdout, '6\n', attributes)
    }
  }),
  check('psql is refused a server that is to be a standby', async ({ target }) => {
    const { status, stderr } = await runPsql(target, { env: { PGTARGETSESSIONATTRS: 'standby' } })
    equal(status, 2)
    match(stderr, /server is not in hot standby mode/)
  }),
  check('psql tries one host after the other', async ({ target }) => {
    const env = { PGHOST: `127.0.0.1,${target.host}`, PGPORT: `1,${target.port}` }
    const { stdout } = await runPsql(target, { script: 'select 7', env })
    equal(stdout, '7\n')
  }),
  check('psql lists databases and leaves', async ({ target }) => {
    const { stdout, status } = await runPsql(target, { words: ['-Atl'] })
    equal(status, 0)
    match(stdout, /\|UTF8\|/)
  }),
  check('pg_isready finds the server ready', async ({ target }) => {
    const { host, port } = target
    const answer = spawnSync('pg_isready', ['-h', host, '-p', String(port)], { encoding: 'utf8' })
    deepEqual([answer.status, answer.stdout], [0, `${host}:${port} - accepting connections\n`])
  }),
]
