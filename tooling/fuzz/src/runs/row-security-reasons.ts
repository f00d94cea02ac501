/** @module Differences between the engine and the views that are not an error of either, each with its reason. */
import type { Caller } from '@engine/core'
import type { GeneratedStatement } from '../grammar/statement.ts'
import { copySchema, copyVisible } from '../subjects/copy-visible.ts'
import type { DirectSubject } from '../subjects/direct-subject.ts'
import type { Outcome } from '../subjects/subject.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import { shapeOf } from '../world/shape.ts'
import { tableNamed } from '../world/world.ts'
import { type Difference, isIdle, leavesTables } from './compare-outcomes.ts'
import { canFailOnVisible, canFailUnfiltered, explainByOrder } from './explain-by-order.ts'
import type { Scene } from './minimise-scene.ts'
import { isTooLarge, type RunOptions } from './session.ts'

/** A world with its policy and its callers. */
export interface CallerScene extends Scene {
  readonly callers: readonly Caller[]
}

/** The databases where reasons are searched. */
export interface Surroundings {
  readonly owner: DirectSubject
  readonly reference: DirectSubject
  readonly options: RunOptions
  readonly scene: CallerScene
}

/** A difference. */
export interface Found {
  /** Which caller. */
  readonly at: number
  readonly statement: GeneratedStatement
  readonly expected: Outcome
  readonly actual: Outcome
  readonly difference: Difference
}

/** Schema of a caller's views. */
export const schemaOf = (caller: number): string => `v${caller}`

/** The statement in the form for the engine. */
export function engineText({ tree }: Pick<GeneratedStatement, 'tree'>): PrintedStatement {
  return printTree(tree, { side: 'engine', table: (name) => `main.${name}` })
}

/** @returns undefined where there is none: a finding. */
export async function reasonOf(stage: Surroundings, found: Found): Promise<string | undefined> {
  const { statement, expected, actual, difference, at } = found
  if (actual.kind === 'refused' && isUnsupported(actual)) return 'refused'
  if (isTooLarge(expected)) return 'too many rows'
  if (['server error', 'allowed', 'denied'].includes(difference.kind)) return undefined
  if (difference.kind === 'answered') {
    const before = statement.isWrite ? await stage.owner.dump() : undefined
    if (isIdle(expected, actual, before)) return 'answered: no row needed what fails'
    // RETURNING applies to visible rows; PostgreSQL computes its constants for none.
    const state = expected.kind === 'refused' ? expected.sqlState : undefined
    const isOfValues = state !== undefined && /^2[12]/.test(state)
    if (isOfValues && (await failureWithoutRows(stage, statement))?.sqlState === state) {
      return 'answered: fails without any rows'
    }
  }
  if (
    difference.kind === 'answered' &&
    expected.kind === 'refused' &&
    expected.message.startsWith('nondeterministic collations are not supported')
  ) {
    // Depends only on the collation, not on a row: the planner tries patterns on statistics that views do not always
    // have.
    return 'answered: PostgreSQL cannot plan a pattern over a collation'
  }
  // The triggers of the views are separate statements; foreign keys are checked after each of them.
  const meetsForeignKey = [expected, actual].some(
    (outcome) => outcome.kind === 'refused' && outcome.sqlState === '23503',
  )
  if (meetsForeignKey && statement.writes.length > 1) {
    return `${difference.kind}: two writes of one statement meet in a foreign key`
  }
  if (isOfKeysInOrder([expected, actual], statement, stage.scene.world)) {
    return `${difference.kind}: several rows change a unique key, in an order of their own`
  }
  if (isOfReferencingTrigger([expected, actual], statement, stage.scene.world)) {
    return `${difference.kind}: a write meets a trigger by a foreign key`
  }
  if (isOfCascade(actual, statement, stage.scene.world)) {
    return 'refused: a write deletes what another one has changed, by a foreign key'
  }
  if (isUnjudged(actual, statement, stage.scene)) {
    return 'refused: the check of a proposed row reads what only the database computes'
  }
  if (await isIdleCheck(stage, found)) {
    return 'refused: no row needed what fails, and the check counts as failed'
  }
  if (difference.kind === 'refused' && (await failureWithoutRows(stage, statement))) {
    return 'refused: fails without any rows'
  }
  const schema = schemaOf(at)
  if (statement.writes.length > 0) {
    return (await isOfWritesPlan(stage, found))
      ? 'refused: a write fails on visible rows, in some plan'
      : undefined
  }
  const options = { statement, actual, before: 'select 1', side: 'reference' } as const
  const onViews = await explainByOrder({
    ...options,
    subject: stage.reference,
    table: (name) => `${schema}.${name}`,
  })
  if (onViews) return `${difference.kind}: PostgreSQL does so with another plan`
  await copyVisible(stage.owner, stage.scene.world, schema)
  const onCopies = await explainByOrder({
    ...options,
    subject: stage.owner,
    table: (name) => `${copySchema}.${name}`,
  })
  if (onCopies) return `${difference.kind}: PostgreSQL does so on the visible rows alone`
  // The planner does not know a constant that is sent as a parameter, and may compute more.
  const isOfValue = actual.kind === 'refused' && actual.sqlState?.startsWith('22')
  const onVisible = {
    ...options,
    subject: stage.owner,
    table: (name: string) => `${copySchema}.${name}`,
  }
  return isOfValue && (await canFailUnfiltered(onVisible, [actual]))
    ? 'refused: fails on visible rows that another part of the statement leaves out'
    : undefined
}

/** A unique key is checked after each row: whether a row conflicts with one that will change depends on their order. */
function isOfKeysInOrder(
  outcomes: readonly Outcome[],
  { writes }: GeneratedStatement,
  { tables }: CallerScene['world'],
): boolean {
  const isTaken = outcomes.some(
    (outcome) => outcome.kind === 'refused' && outcome.sqlState === '23505',
  )
  return (
    isTaken &&
    writes.some(({ operation, table: name, columns }) => {
      const { unique } = tables.find((table) => table.name === name) ?? {}
      return (
        operation === 'update' && columns.some((column) => column === 'id' || column === unique)
      )
    })
  )
}

/**
 * A trigger raises an error for a row that `ON DELETE SET NULL` changes, if the row still exists then: two foreign
 * keys, or two writes, run in an undefined order.
 */
function isOfReferencingTrigger(
  outcomes: readonly Outcome[],
  { writes }: GeneratedStatement,
  { tables }: CallerScene['world'],
): boolean {
  const isRaised = outcomes.some(
    (outcome) => outcome.kind === 'refused' && outcome.sqlState === 'P0001',
  )
  return (
    isRaised &&
    writes.some(({ operation }) => operation === 'delete') &&
    tables.some(
      (table) =>
        shapeOf(table).triggers.some(({ does }) => does === 'raises') &&
        table.foreignKeys.some(({ onDelete }) => onDelete === 'set null') &&
        (table.foreignKeys.length > 1 || writes.length > 1),
    )
  )
}

/**
 * One write changes rows that another deletes by ON DELETE of foreign keys. PostgreSQL cascades after both of them, the
 * triggers of the views at once: there the changed row, whose check fails, is already deleted, or was never changed.
 */
function isOfCascade(
  actual: Outcome,
  { writes }: GeneratedStatement,
  { tables }: CallerScene['world'],
): boolean {
  if (actual.kind !== 'refused' || actual.sqlState !== '44000') return false
  const reachable = new Set(
    writes.filter(({ operation }) => operation === 'delete').map(({ table }) => table),
  )
  const changed = new Set<string>()
  for (let size = -1; size !== changed.size + reachable.size; ) {
    size = changed.size + reachable.size
    for (const { name, foreignKeys } of tables) {
      const keys = foreignKeys.filter(({ table }) => reachable.has(table))
      if (keys.some(({ onDelete }) => onDelete !== undefined)) changed.add(name)
      if (keys.some(({ onDelete }) => onDelete === 'cascade')) reachable.add(name)
    }
  }
  return writes.some(
    ({ operation, table }) =>
      (operation === 'insert' || operation === 'update') && changed.has(table),
  )
}

/**
 * A value that PostgreSQL with another plan cannot compute either, though it sees only the caller's data. For writes
 * that have changed nothing.
 */
async function isOfWritesPlan(
  { owner, scene }: Surroundings,
  { statement, expected, actual, at }: Found,
): Promise<boolean> {
  if (actual.kind !== 'refused' || !actual.sqlState?.startsWith('22')) return false
  if (expected.kind !== 'rows' || !leavesTables(expected, await owner.dump())) return false
  const onVisible = {
    subject: owner,
    statement,
    side: 'reference',
    table: (name: string) => `${copySchema}.${name}`,
  } as const
  // The engine's planner knows the number of rows, visible or not.
  for (const isAnalysed of [false, true]) {
    await copyVisible(owner, scene.world, schemaOf(at), { isAnalysed })
    if (await canFailOnVisible({ ...onVisible, before: 'select 1' }, actual.sqlState)) return true
  }
  return canFailUnfiltered(onVisible, [actual])
}

/** A check whose rows cannot be computed counts as failed; PostgreSQL computes constants before it looks for rows. */
async function isIdleCheck({ owner }: Surroundings, { expected, actual }: Found): Promise<boolean> {
  if (actual.kind !== 'refused' || actual.sqlState !== '44000') return false
  const failure = { ...actual, sqlState: actual.loggedState }
  return isIdle(expected, failure, await owner.dump())
}

/** The documentation of ON CONFLICT: a check of `insert` that cannot be evaluated over a proposed row has failed. */
function isUnjudged(
  actual: Outcome,
  { writes }: GeneratedStatement,
  { world, policy }: CallerScene,
): boolean {
  if (actual.kind !== 'refused' || actual.status !== 422) return false
  return writes.some(({ table: name, conflict }) => {
    if (conflict === undefined) return false
    const { columns } = tableNamed(world, name)
    const computed = columns.filter(({ generated }) => generated !== undefined)
    const checks = Object.values(policy)
      .filter(({ table }) => table === `main.${name}`)
      .map(({ restrict, insert }) => JSON.stringify([restrict, insert?.check]))
    return computed.some((column) => checks.some((check) => check.includes(`"${column.name}"`)))
  })
}

/** 400: the engine does not support the statement. An impossible value has another code. */
function isUnsupported({
  status,
  sqlState,
  message,
}: Outcome & { readonly kind: 'refused' }): boolean {
  return (
    status === 400 &&
    (sqlState === '0A000' || sqlState === '54001' || /not supported/.test(message))
  )
}

/** A statement that fails without any rows reveals nothing about rows; undefined where it does not fail. */
async function failureWithoutRows(
  { owner, scene }: Surroundings,
  statement: GeneratedStatement,
): Promise<(Outcome & { readonly kind: 'refused' }) | undefined> {
  const tables = scene.world.tables.map(({ name }) => `main.${name}`)
  await owner.client.query('begin')
  try {
    await owner.client.query(`truncate ${tables.join(', ')}`)
    const outcome = await owner.run(engineText(statement), false)
    return outcome.kind === 'refused' ? outcome : undefined
  } finally {
    await owner.client.query('rollback')
  }
}
