/** @module `engine-server init`: writes the first configuration for a database that is there. */
import { mkdirSync, realpathSync, rmdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { GatewayError } from '@engine/core'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { type Options, readOptions } from '../command-line/read-options.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { formatFindings } from '../doctor/format-findings.ts'
import { type Decisions, decide } from '../init/answers.ts'
import { type Ask, createAsk } from '../init/ask.ts'
import { namesIn, schemasOf } from '../init/choose-schemas.ts'
import { type ConnectionSource, connectionSource } from '../init/connection-source.ts'
import { invitedFields, missingAtSignUp } from '../init/first-accounts.ts'
import { guessAccess } from '../init/guess-access.ts'
import { dependsOnServer } from '../init/package-text.ts'
import { type Project, projectIn } from '../init/project.ts'
import {
  connectionOf,
  type ProjectFile,
  projectFiles,
  replacedFiles,
  writeFiles,
} from '../init/project-files.ts'
import { type DatabaseTables, readDatabase } from '../init/read-database.ts'
import { readSchemas } from '../init/read-schemas.ts'
import { runWrittenTests } from '../init/run-written-tests.ts'
import { readSamples } from '../init/sample-rows.ts'
import { loadEnvFile } from '../reload/env-file.ts'
import { start } from './start.ts'

const args: ArgsDef = {
  folder: { type: 'positional', required: false, description: 'where to write; default: here' },
  url: { type: 'string', description: 'URL of the database, or path of a SQLite file' },
  connection: { type: 'string', description: 'name of the connection; default: main' },
  schema: { type: 'string', description: 'schemas of PostgreSQL, with commas; default: public' },
  users: { type: 'string', description: 'table with a row for each user, or none' },
  tenant: { type: 'string', description: 'column that names the tenant of a row, or none' },
  writes: { type: 'boolean', description: 'users may add, change and delete their own rows' },
  yes: { type: 'boolean', description: 'ask nothing: guesses where no option says otherwise' },
  force: { type: 'boolean', description: 'replace files that are there' },
  start: { type: 'boolean', description: 'start the server afterwards' },
}

export const init: CommandDef = defineCommand({
  meta: {
    name: 'init',
    description: 'Write a configuration with first permissions for a database that is there',
  },
  args,
  run: ({ rawArgs }) => orExit(() => runInit(readOptions(rawArgs, args, 1))),
})

async function runInit(options: Options): Promise<void> {
  const from = process.cwd()
  const folder = resolve(from, options.positionals[0] ?? '.')
  const asks = process.stdin.isTTY && process.stdout.isTTY && !options.flag('yes')
  const ask = asks ? await createAsk() : undefined
  ask?.begin('A first configuration')
  const made = mkdirSync(folder, { recursive: true })
  try {
    await initIn(folder, { options, ask, from })
  } catch (error) {
    process.chdir(from)
    if (made !== undefined) removeEmpty(folder, made)
    throw error
  }
}

interface Run {
  readonly options: Options
  readonly ask: Ask | undefined
  /** The directory in which the command was called. */
  readonly from: string
}

async function initIn(folder: string, { options, ask, from }: Run): Promise<void> {
  process.chdir(folder)
  loadEnvFile('.env', process.env)
  const project = projectIn(realpathSync(folder))
  const { source, database, name, schemas } = await openDatabase(options, { ask, from, project })
  const given = {
    users: options.text('users'),
    tenant: options.text('tenant'),
    writes: options.choice('writes'),
  }
  const decisions = await decide(database.connection, given, ask)
  const tables = guessAccess(database.connection, decisions)
  const samples = await readSamples(connectionOf(source.value, schemas), {
    ...decisions,
    connection: name,
    tables,
  })
  const files = projectFiles({
    project,
    name,
    source,
    schemas,
    database,
    decisions,
    tables,
    samples,
    environment: process.env,
  })
  await requireFree(replacedFiles(project, files), options, ask)
  writeFiles(project, files)
  const written = files.map(({ name: file, about }) => `${file.padEnd(18)} ${about}`).join('\n')
  show(written, 'Written', ask)
  loadEnvFile('.env', process.env)
  const isSound = await examine(files[0]?.name ?? '', ask)
  const isWell = isSound && (await tryTests(files, ask))
  show(nextSteps(project, { name, from, decisions }), 'Next', ask)
  await startIfWanted(options, ask, isWell)
}

/** The schemas that a person chose; undefined: `public`. Others are named where no one is asked. */
async function chooseSchemas(
  { value, isSecret }: ConnectionSource,
  ask: Ask | undefined,
): Promise<readonly string[] | undefined> {
  const found = isSecret ? await readSchemas(value) : []
  const { chosen, others } = await schemasOf(found, ask)
  if (others !== undefined) show(others, 'Schemas', ask)
  return chosen
}

/** Removes a folder that nothing was written into, up to the first one that was made for it. */
function removeEmpty(folder: string, made: string): void {
  try {
    rmdirSync(folder)
    if (folder !== made) removeEmpty(dirname(folder), made)
  } catch {
    // It has files.
  }
}

interface Place {
  readonly ask: Ask | undefined
  readonly from: string
  readonly project: Project
}

interface Opened {
  readonly name: string
  readonly source: ConnectionSource
  readonly database: DatabaseTables
  readonly schemas: readonly string[] | undefined
}

/** A person may correct a URL that does not do. */
async function openDatabase(options: Options, { ask, from, project }: Place): Promise<Opened> {
  const name = options.text('connection') ?? 'main'
  const given = namesIn(options.text('schema'))
  let url = options.text('url')
  while (true) {
    const known = process.env['DATABASE_URL']
    const isNamed = url !== undefined
    if (url === undefined && ask !== undefined) {
      const usual = known === undefined ? {} : { usual: known }
      const example = 'postgres://app:password@localhost/shop, mysql://…, or shop.db'
      url = await ask.text('Which database? A URL, or the path of a SQLite file.', {
        example,
        ...usual,
      })
    }
    url ??= known
    if (url === undefined) {
      throw wrongArgument('Say which database: --url URL, or set DATABASE_URL (see --help)')
    }
    try {
      const source = connectionSource(url, isNamed ? from : project.folder, project.folder)
      const read = (names: readonly string[] | undefined) => {
        const reading = readDatabase(name, connectionOf(source.value, names))
        return ask === undefined ? reading : ask.during('Reading its tables', reading)
      }
      let database = await read(given)
      const schemas = given ?? (await chooseSchemas(source, ask))
      if (schemas !== given) database = await read(schemas)
      if (database.connection.tables.size === 0) {
        throw new GatewayError(
          'unavailable',
          `The database has no tables${schemaHint(source, schemas)}`,
        )
      }
      return { name, source, database, schemas }
    } catch (error) {
      if (ask === undefined || isNamed || !(error instanceof GatewayError)) throw error
      ask.note(error.message, 'That did not work')
      url = undefined
    }
  }
}

function schemaHint({ value }: ConnectionSource, schemas: readonly string[] | undefined): string {
  if (!/^postgres/.test(value)) return '.'
  return ` in its schema "${schemas?.join(', ') ?? 'public'}": --schema names another one.`
}

/** @throws {GatewayError} `invalidConfiguration` when a file would be replaced without `--force` or a confirmation. */
async function requireFree(
  replaced: readonly string[],
  options: Options,
  ask: Ask | undefined,
): Promise<void> {
  if (replaced.length === 0 || options.flag('force')) return
  const names = replaced.join(', ')
  if (ask === undefined) throw wrongArgument(`${names}: there already; --force replaces it`)
  if (await ask.confirm(`${names}: there already. Replace it?`, false)) return
  throw wrongArgument('Stopped: nothing was written.')
}

async function examine(file: string, ask: Ask | undefined): Promise<boolean> {
  const findings = await diagnose({
    path: resolve(file),
    demo: () => Promise.reject(new Error('there is a file')),
    environment: process.env,
    nodeVersion: process.versions.node,
  })
  const shown = findings.filter(({ level }) => level !== 'ok')
  const counted = formatFindings(findings).trimEnd().split('\n').at(-1) ?? ''
  show(
    [...formatFindings(shown).trimEnd().split('\n').slice(0, -1), counted].join('\n'),
    'Doctor',
    ask,
  )
  return findings.every(({ level }) => level !== 'fault')
}

/** The tests that were written, some of which try to break in. */
async function tryTests(files: readonly ProjectFile[], ask: Ask | undefined): Promise<boolean> {
  const file = files.find(({ name }) => name.startsWith('engine.tests.'))?.name ?? ''
  const { isGood, text } = await runWrittenTests(file)
  show(text, 'Tests of the permissions', ask)
  return isGood
}

interface Steps {
  /** Of the connection. */
  readonly name: string
  readonly from: string
  readonly decisions: Decisions
}

function nextSteps(
  { manifest, isCheckout, folder }: Project,
  { name, from, decisions }: Steps,
): string {
  const missing = missingAtSignUp(decisions)
  const account = missing.length === 0 ? 'create' : 'invite'
  const row =
    missing.length === 0
      ? ''
      : `: of a person with a row in ${decisions.users?.table.name}; for others add --fields '${invitedFields(missing)}'`
  const place = relative(from, folder)
  const program = isCheckout ? 'npm start --' : 'npx engine-server'
  const isElsewhere = isCheckout && place !== ''
  const config = isElsewhere ? ` --config ${join(place, 'engine.config.ts')}` : ''
  const tests = isElsewhere ? join(place, 'engine.tests.ts') : 'engine.tests.ts'
  const codegen = isCheckout ? 'npm run codegen --' : 'npx engine-codegen'
  const needsInstall = !isCheckout && (manifest === undefined || !dependsOnServer(manifest))
  return [
    ...(place === '' || isCheckout ? [] : [`cd ${place}`]),
    ...(needsInstall
      ? ['npm install @engine/server && npm install --save-dev @engine/codegen']
      : []),
    'Read engine.config.ts: every permission is a guess.',
    ...step(`${program} permissions test ${tests}`, 'what the permissions promise'),
    ...step(`${program} permissions matrix${config}`, 'who may do what'),
    ...step(`${program}${config}`, 'the server, at http://127.0.0.1:3001'),
    ...step(
      `${program} users ${account}${config} --email you@example.com --role staff`,
      `an account, while the server runs${row}`,
    ),
    ...step(
      `${codegen} --url http://127.0.0.1:3001 --connection ${name} --format drizzle --out ${join(isCheckout ? place : '', 'src', 'schema.ts')}`,
      'a typed client',
    ),
  ].join('\n')
}

function step(command: string, does: string): readonly string[] {
  return [command, `    ${does}`]
}

async function startIfWanted(
  options: Options,
  ask: Ask | undefined,
  isWell: boolean,
): Promise<void> {
  if (!isWell) process.exitCode = 1
  const isWanted =
    options.choice('start') ??
    (ask !== undefined && isWell && (await ask.confirm('Start the server now?', true)))
  ask?.end(isWanted ? 'Starting.' : 'Done.')
  if (isWanted && isWell) await start([])
}

function show(text: string, title: string, ask: Ask | undefined): void {
  if (ask === undefined) process.stdout.write(`${title}\n${text.replace(/^/gm, '  ')}\n\n`)
  else ask.note(text, title)
}
