import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  driverJar,
  missingJdbc,
  missingPerlDriver,
  missingPgbench,
  missingPsql,
  missingPythonModule,
  python,
} from './find-clients.ts'
import { nodePostgresChecks } from './node/node-postgres-checks.ts'
import { nodePostgresWaits } from './node/node-postgres-waits.ts'
import { postgresJsChecks } from './node/postgres-js-checks.ts'
import { postgresJsWaits } from './node/postgres-js-waits.ts'
import { toolChecks } from './node/tool-checks.ts'
import { ownClient } from './own-client.ts'
import { pgbenchChecks } from './pgbench-checks.ts'
import { programClient, programs } from './program-client.ts'
import { connectionChecks } from './psql/connection-checks.ts'
import { describeChecks } from './psql/describe-checks.ts'
import { scriptChecks } from './psql/script-checks.ts'
import { rawChecks } from './raw/raw-checks.ts'
import type { WireClient } from './wire-check.ts'

/** Every client, with its checks. */
export const wireClients: readonly WireClient[] = [
  ownClient('protocol', rawChecks),
  ownClient('psql', [...connectionChecks, ...scriptChecks, ...describeChecks], missingPsql),
  ownClient('node-postgres', [...nodePostgresChecks, ...nodePostgresWaits]),
  ownClient('postgres.js', [...postgresJsChecks, ...postgresJsWaits]),
  ownClient('tools', toolChecks),
  pythonClient('psycopg2', 'psycopg2', 'python3-psycopg2'),
  pythonClient('psycopg 3', 'psycopg3', 'python3-psycopg', 'psycopg'),
  pythonClient('asyncpg', 'asyncpg', 'python3-asyncpg'),
  pythonClient('SQLAlchemy', 'sqlalchemy', 'python3-sqlalchemy'),
  jdbcClient(),
  programClient({
    name: 'DBD::Pg',
    folder: 'dbd-pg',
    command: () => ['perl', `${programs}/dbd-pg/main.pl`],
    missing: missingPerlDriver,
  }),
  ownClient('pgbench', pgbenchChecks, missingPgbench),
]

function pythonClient(
  name: string,
  folder: string,
  packageName: string,
  moduleName = folder,
): WireClient {
  return programClient({
    name,
    folder,
    command: () => [python, `${programs}/${folder}/main.py`],
    missing: () => missingPythonModule(moduleName, packageName),
  })
}

/** Its sources are compiled before the first run. */
function jdbcClient(): WireClient {
  let classes: string | undefined
  return programClient({
    name: 'pgjdbc',
    folder: 'jdbc',
    command: () => {
      classes ??= compile(`${programs}/jdbc`)
      // The run is too short for the second compiler stage. A machine may have no locale: the output is UTF-8.
      const options = [
        '-XX:TieredStopAtLevel=1',
        '-Dfile.encoding=UTF-8',
        '-Dstdout.encoding=UTF-8',
      ]
      return ['java', ...options, '-cp', `${driverJar}:${classes}`, 'Main']
    },
    missing: missingJdbc,
  })
}

/** Compiled once for each state of the sources, at the first request. */
function compile(folder: string): string {
  const sources = readdirSync(folder)
    .toSorted()
    .map((file) => join(folder, file))
  const state = sources.map((source) => readFileSync(source, 'utf8')).join('\0')
  const built = join(programs, '../dist/jdbc')
  const classes = join(built, hash('sha256', state, 'hex'))
  if (existsSync(classes)) return classes
  mkdirSync(built, { recursive: true })
  const fresh = mkdtempSync(join(built, 'new-'))
  const words = ['-encoding', 'UTF-8', '-proc:none', '-d', fresh, '-cp', driverJar, ...sources]
  const { status, stderr, error } = spawnSync('javac', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`javac failed:\n${stderr}`, { cause: error })
  try {
    renameSync(fresh, classes)
  } catch (cause) {
    // Another run has finished first.
    if (!existsSync(classes)) throw cause
    rmSync(fresh, { recursive: true })
  }
  return classes
}
