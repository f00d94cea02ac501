/** @module The same statement on databases that differ only in data that the caller does not see: one answer. */
import type { Caller } from '@engine/core'
import { createGrammar } from '../grammar/create-grammar.ts'
import { type GeneratedStatement, statement as generate } from '../grammar/statement.ts'
import { randomCaller } from '../policy/caller.ts'
import { namedColumns, writableColumns } from '../policy/grants.ts'
import { randomPolicy } from '../policy/random-policy.ts'
import { referenceViews } from '../policy/reference-views.ts'
import { createRandom } from '../random.ts'
import { createCallerRole, dropCallerRole } from '../subjects/caller-role.ts'
import { copySchema, copyVisible } from '../subjects/copy-visible.ts'
import { type DirectSubject, openDirectSubject } from '../subjects/direct-subject.ts'
import type { Outcome } from '../subjects/subject.ts'
import { closeTriples, openTriples, type Triple } from '../subjects/triples.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import { hiddenVariants, loadVariants } from '../world/hidden-variants.ts'
import { postgresWorld } from '../world/postgres-world.ts'
import { randomWorld, tagName } from '../world/random-world.ts'
import type { ShapeOptions } from '../world/shape.ts'
import { type Row, tableNamed, type World } from '../world/world.ts'
import { answerText, compareAnswers, type Leak } from './compare-answers.ts'
import { createCoverage } from './coverage.ts'
import { canFailOnVisible, canFailUnfiltered } from './explain-by-order.ts'
import { minimiseScene, type Scene } from './minimise-scene.ts'
import { minimiseStatement } from './minimise-statement.ts'
import { createReport, type ReportBuilder, type RunReport } from './report.ts'
import { runWorlds } from './run-worlds.ts'
import { isTooLarge, type RunOptions, statementSeed } from './session.ts'

interface Stage {
  readonly owner: DirectSubject
  readonly role: string
  readonly scene: CallerScene
  readonly triples: readonly Triple[]
  /** The world and its variants. */
  readonly worlds: readonly World[]
  readonly report: ReportBuilder
  readonly options: RunOptions
  /** A smaller scene has replaced it. */
  isSpoiled: boolean
}

const schemas = ['wa', 'wb', 'wc'] as const

export async function fuzzNonInterference(options: RunOptions): Promise<RunReport> {
  const report = createReport(await createCoverage(), options.onProgress)
  const owner = await openDirectSubject(options.url)
  const role = await createCallerRole(owner)
  try {
    await runWorlds(options, report, async (seed) => {
      const stage = await setStage({ owner, role, report, options }, randomScene(seed))
      return {
        run: (index) => oneStatement(stage, seed, index),
        isOver: () => stage.isSpoiled || report.isLost(),
        close: () => closeStage(stage),
      }
    })
  } finally {
    await dropCallerRole(owner, role)
    await owner.close()
  }
  return report.finish()
}

/** A world, its policy and one caller. */
interface CallerScene extends Scene {
  readonly caller: Caller
  readonly hasWrites: boolean
  readonly isOnPostgresOnly: boolean
  /** Seed of the hidden parts. */
  readonly seed: number
}

function randomScene(seed: number): CallerScene {
  const random = createRandom(seed)
  const hasWrites = random.chance(40)
  const shapes = random.weighted<ShapeOptions | undefined>([
    [60, undefined],
    [25, { kind: 'postgres', hasIndexes: !hasWrites }],
    [15, { kind: 'portable', hasIndexes: !hasWrites }],
  ])
  const world = randomWorld(random, {
    isPortable: true,
    maxTables: 4,
    maxRows: 14,
    hasConstraints: !hasWrites,
    hasEnums: true,
    hasTags: shapes !== undefined,
    shapes,
  })
  const policy = randomPolicy(random, world, {
    hasWrites,
    forbidsAggregates: true,
    ungranted: shapes === undefined ? [] : [tagName],
  })
  return {
    isOnPostgresOnly: shapes?.kind === 'postgres',
    world,
    policy,
    caller: randomCaller(random),
    hasWrites,
    seed,
  }
}

type Surroundings = Pick<Stage, 'owner' | 'role' | 'report' | 'options'>

/** Generates the hidden data, and opens every engine. */
async function setStage(surroundings: Surroundings, scene: CallerScene): Promise<Stage> {
  const { owner, role, report, options } = surroundings
  const { world, policy, caller, hasWrites, seed, isOnPostgresOnly } = scene
  await owner.client.query(postgresWorld(world, 'main', false))
  await owner.client.query(referenceViews({ world, policy, caller, schema: 'v', role }))
  const named = JSON.stringify(policy)
  const fixed = world.tables.flatMap(({ columns }) =>
    columns.map(({ name }) => name).filter((name) => hasWrites && named.includes(`"${name}"`)),
  )
  const variants = await hiddenVariants(owner, world, 'v', createRandom(seed), new Set(fixed))
  const worlds = [world, variants.hostile, variants.empty]
  await loadVariants(owner, worlds, schemas)
  await copyVisible(owner, world, 'v')
  report.explained(`worlds with${variants.changes > 0 ? '' : 'out'} hidden parts`)
  const triples = await openTriples(worlds, policy, schemas, options, isOnPostgresOnly)
  return { owner, role, report, options, scene, triples, worlds, isSpoiled: false }
}

const closeStage = ({ triples }: Stage): Promise<void> => closeTriples(triples)

/** A statement and the scene in which it leaks something, both as small as possible. */
async function smallest(
  stage: Stage,
  name: string,
  statement: GeneratedStatement,
  { kind }: Leak,
): Promise<{ readonly stage: Stage; readonly statement: GeneratedStatement }> {
  const shows = async (on: Stage, candidate: GeneratedStatement): Promise<boolean> => {
    const outcomes = await runThrice(on, tripleNamed(on, name), candidate)
    if (compareAnswers(outcomes, candidate.isOrdered)?.kind !== kind) return false
    return (await reasonOf(on, name, candidate, outcomes)) === undefined
  }
  const small = await minimiseStatement(statement, (candidate) => shows(stage, candidate))
  const tryScene = async (scene: CallerScene): Promise<boolean> => {
    const other = await setStage(stage, scene)
    try {
      return await shows(other, small)
    } finally {
      await closeStage(other)
    }
  }
  const scene = await minimiseScene(stage.scene, (candidate) =>
    tryScene(candidate).catch(() => false),
  )
  return { stage: await setStage(stage, scene), statement: small }
}

function tripleNamed({ triples }: Pick<Stage, 'triples'>, name: string): Triple {
  const found = triples.find((triple) => triple.name === name)
  if (found === undefined) throw new RangeError(`no database ${name}`)
  return found
}

/** @returns how many statements were run. */
async function oneStatement(stage: Stage, seed: number, index: number): Promise<number> {
  const { triples, report, options } = stage
  const statement = generateFor(stage, seed, index)
  if (statement === undefined) return 0
  if (index % 10 === 0) report.coverage.add(printed(statement).sql)
  for (const triple of triples) {
    const outcomes = await runThrice(stage, triple, statement)
    const [first = outcomes[0]] = outcomes
    if (first !== undefined) report.statement(first)
    const difference = compareAnswers(outcomes, statement.isOrdered)
    if (difference === undefined) {
      if (first?.kind === 'rows') report.equal()
      else report.bothRefused()
      continue
    }
    const reason = await reasonOf(stage, triple.name, statement, outcomes)
    if (reason !== undefined) {
      report.explained(`${triple.name}: ${reason}`)
      continue
    }
    if (!report.isNew(`${triple.name} ${difference.kind}`, difference.text)) continue
    const show = options.minimise
      ? await smallest(stage, triple.name, statement, difference)
      : { stage, statement }
    report.finding({
      kind: `${triple.name} ${difference.kind}`,
      text: difference.text,
      seed,
      statement: index,
      reproduction: await reproduction(show.stage, triple.name, show.statement),
    })
    if (show.stage === stage) continue
    await closeStage(show.stage)
    stage.isSpoiled = true
    break
  }
  return triples.length * schemas.length
}

function generateFor(
  { scene: { world, policy, caller } }: Stage,
  seed: number,
  index: number,
): GeneratedStatement | undefined {
  const random = createRandom(statementSeed(seed, index))
  const tables = world.tables
    .map((table) => ({ table, readable: namedColumns(policy, caller, table) }))
    .filter(({ readable }) => readable.length > 0 || random.chance(2))
  if (tables.length === 0) return undefined
  const hasWrites = Object.values(policy).some(({ insert, update }) => insert ?? update)
  return generate(createGrammar(random, { tables, risk: 25, isPortable: true }), {
    writes: hasWrites ? 45 : 0,
    mayConflict: true,
    hasFreshKeys: true,
    mayWriteInside: random.chance(20),
    writable: (name, operation) =>
      writableColumns(policy, caller, tableNamed(world, name), operation),
  })
}

function printed({ tree }: GeneratedStatement): PrintedStatement {
  return printTree(tree, { side: 'engine', table: (name) => `main.${name}` })
}

function runThrice(
  { scene: { caller } }: Pick<Stage, 'scene'>,
  { databases }: Triple,
  statement: GeneratedStatement,
): Promise<readonly Outcome[]> {
  return Promise.all(
    databases.map(({ engine }) => engine.run(printed(statement), caller, statement.isWrite)),
  )
}

/** A statement that can fail on the rows that the caller sees may fail in one plan and not in another. */
async function reasonOf(
  stage: Stage,
  name: string,
  statement: GeneratedStatement,
  outcomes: readonly Outcome[],
): Promise<string | undefined> {
  if (outcomes.some((outcome) => outcome.kind === 'refused' && outcome.status >= 500))
    return undefined
  if (outcomes.some(isTooLarge)) return 'too many rows'
  if (name === 'sqlite' && leavesOutKey(statement)) return 'a key that SQLite counts up'
  const failures = outcomes.filter((outcome) => outcome.kind === 'refused')
  const visible = {
    subject: stage.owner,
    statement,
    side: 'reference',
    table: (table: string) => `${copySchema}.${table}`,
  } as const
  const byPlan = 'fails on visible rows, in some plan'
  if (statement.isWrite) {
    if (failures.length === outcomes.length) {
      return (await isMatterOfOrder(stage, name, statement))
        ? 'two visible rows fail, each in its own way'
        : undefined
    }
    const [{ sqlState } = {}, ...others] = failures
    const isOneFailure = others.every((failure) => failure.sqlState === sqlState)
    const answers = outcomes.filter(({ kind }) => kind === 'rows')
    const isOneAnswer = compareAnswers(answers, statement.isOrdered) === undefined
    if (sqlState === undefined || !isOneFailure || !isOneAnswer) return undefined
    const canFail = await canFailOnVisible({ ...visible, before: 'select 1' }, sqlState)
    return canFail ? byPlan : undefined
  }
  if (failures.length === 0) return undefined
  const canFail =
    (await canFailOnVisible({ ...visible, before: 'select 1' })) ||
    (name !== 'postgres' && (await canFailUnfiltered(visible, failures)))
  return canFail ? byPlan : undefined
}

/** INSERT without a value for `id`: SQLite uses one more than the greatest, hidden rows included. */
function leavesOutKey(statement: GeneratedStatement): boolean {
  const inserts = printed(statement).sql.matchAll(
    /\binsert into main\.\w+(?: as \w+)?(?: \(([^()]*)\))?/g,
  )
  return [...inserts].some(([, columns = 'id']) => !columns.split(', ').includes('id'))
}

/** Returns whether all worlds answer alike once the rows that they share are stored in one order. */
async function isMatterOfOrder(
  { owner, scene, options, worlds }: Stage,
  name: string,
  statement: GeneratedStatement,
): Promise<boolean> {
  const sorted = worlds.map(inOneOrder)
  const places = schemas.map((schema) => `${schema}_sorted`)
  await loadVariants(owner, sorted, places)
  const triples = await openTriples(sorted, scene.policy, places, options, scene.isOnPostgresOnly)
  try {
    const outcomes = await runThrice({ scene }, tripleNamed({ triples }, name), statement)
    return compareAnswers(outcomes, statement.isOrdered) === undefined
  } finally {
    await closeTriples(triples)
  }
}

/** Rows in the order of their texts: rows that two worlds share have the same order in both. */
function inOneOrder(world: World): World {
  const sorted = (rows: readonly Row[]) =>
    rows.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
  return { ...world, rows: new Map([...world.rows].map(([name, rows]) => [name, sorted(rows)])) }
}

async function reproduction(
  stage: Stage,
  name: string,
  statement: GeneratedStatement,
): Promise<string> {
  const outcomes = await runThrice(stage, tripleNamed(stage, name), statement)
  const { sql, params } = printed(statement)
  return [
    sql,
    `params ${JSON.stringify(params)}`,
    ...outcomes.map((outcome) => `answer ${answerText(outcome, true).slice(0, 400)}`),
    `caller ${JSON.stringify(stage.scene.caller)}`,
    `policy ${JSON.stringify(stage.scene.policy)}`,
    ...stage.worlds.map((world, i) => postgresWorld(world, schemas[i] ?? '')),
  ].join('\n')
}
