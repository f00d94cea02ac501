import type { JsonValue, QueryCase, RejectedCase, WriteCase } from './case.ts'
import { compareRows } from './compare-rows.ts'
import { type DirectConnection, queryDirect } from './direct.ts'
import { type StepOutcome, writeDirect } from './direct-writes.ts'
import { queryCases } from './queries/index.ts'
import { rejectedCases } from './rejected/index.ts'
import { writeCases } from './writes/index.ts'

/** The engine that answers the statements, by its data route: over HTTP or in process. */
export interface CorpusSubject {
  /**
   * Posts a statement; `body` is the parsed JSON of the answer. With `meta: true` in the request the names of the
   * columns are compared too.
   */
  readonly execute: (
    sql: string,
    params: readonly JsonValue[],
    method: 'all',
  ) => Promise<CorpusAnswer>
  /** A connection to a PostgreSQL server with the same fixture, which provides the right answers. */
  readonly direct: DirectConnection
  /** Restores the subject's fixture, sequences included; write cases need it. */
  readonly reset?: () => Promise<void>
}

export interface CorpusAnswer {
  readonly status: number
  readonly body: unknown
}

export interface CorpusSelection {
  readonly queries?: readonly QueryCase[]
  readonly writes?: readonly WriteCase[]
  readonly rejected?: readonly RejectedCase[]
}

export interface Finding {
  /** The group and the name of the case. */
  readonly id: string
  readonly sql: string
  /** The first difference, or the status and message of the answer. */
  readonly problem: string
}

export interface Refusal extends Finding {
  readonly status: number
  /** True where the case is marked as portable. */
  readonly portable: boolean
}

export interface CorpusReport {
  /** Cases with PostgreSQL's answer, including refusals of statements that PostgreSQL refuses. */
  readonly equal: number
  /** Cases that PostgreSQL answers and the subject refused with a clear error. */
  readonly refused: readonly Refusal[]
  /** Answers that differ from PostgreSQL's. */
  readonly wrong: readonly Finding[]
  /** Answers with a status of 500 or above. */
  readonly serverErrors: readonly Finding[]
}

type Verdict =
  | { readonly kind: 'equal' }
  | { readonly kind: 'refused'; readonly status: number; readonly problem: string }
  | { readonly kind: 'wrong' | 'serverError'; readonly problem: string }

const equal: Verdict = { kind: 'equal' }

/** Statuses that mean "this is not supported"; with the others the request was not processed. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 403, 404, 409, 422])

/** Runs every case, or those of a selection, one after the other; writes only where `reset` is given. */
export async function runCorpus(
  subject: CorpusSubject,
  selection: CorpusSelection = {
    queries: queryCases,
    rejected: rejectedCases,
    ...(subject.reset === undefined ? {} : { writes: writeCases }),
  },
): Promise<CorpusReport> {
  const report = createReport()
  for (const query of selection.queries ?? []) {
    report.add(query, query.sql, query.portable, await judgeQuery(subject, query))
  }
  for (const rejected of selection.rejected ?? []) {
    report.add(rejected, rejected.sql, false, await judgeRejected(subject, rejected))
  }
  for (const write of selection.writes ?? []) {
    const sql = write.steps.map((step) => step.sql).join(';\n')
    report.add(write, sql, write.portable, await judgeWrite(subject, write))
  }
  return report.finish()
}

/** The share of `count` in a whole, in percent with one digit. */
export function percent(count: number, whole: number): string {
  return whole === 0 ? '0.0 %' : `${((100 * count) / whole).toFixed(1)} %`
}

/** A report in a few lines, with the refusals counted by message. */
export function formatReport(report: CorpusReport): string {
  const { refused, wrong, serverErrors } = report
  const whole = report.equal + refused.length + wrong.length + serverErrors.length
  const list = (findings: readonly Finding[]) =>
    findings.map(({ id, problem, sql }) => `  ${id}\n    ${problem}\n    ${sql.slice(0, 400)}`)
  return [
    `${whole} cases: ${report.equal} equal (${percent(report.equal, whole)}), ${refused.length} refused (${percent(refused.length, whole)}), ${wrong.length} wrong, ${serverErrors.length} server errors`,
    ...(wrong.length > 0 ? ['wrong:', ...list(wrong)] : []),
    ...(serverErrors.length > 0 ? ['server errors:', ...list(serverErrors)] : []),
    ...(refused.length > 0 ? ['refused:', ...list(refused)] : []),
  ].join('\n')
}

async function judgeQuery(subject: CorpusSubject, query: QueryCase): Promise<Verdict> {
  const expected = await queryDirect(subject.direct, query.sql, query.params)
  const answer = await subject.execute(query.sql, query.params, 'all')
  const names = expected.columns.map((column) => column.name)
  const verdict = judgeRows(answer, expected.rows, query.ordered)
  return verdict.kind === 'equal' ? judgeNames(answer, names) : verdict
}

async function judgeRejected(subject: CorpusSubject, rejected: RejectedCase): Promise<Verdict> {
  const answer = await subject.execute(rejected.sql, rejected.params, 'all')
  return judgeRefusal(answer, rejected.sqlstate)
}

async function judgeWrite(subject: CorpusSubject, writeCase: WriteCase): Promise<Verdict> {
  if (subject.reset === undefined) throw new TypeError('write cases need a reset')
  const expected = await writeDirect(subject.direct, writeCase)
  await subject.reset()
  for (const [index, step] of writeCase.steps.entries()) {
    const answer = await subject.execute(step.sql, step.params, 'all')
    const verdict = judgeStep(answer, expected.steps[index])
    if (verdict.kind !== 'equal') return verdict
  }
  const answer = await subject.execute(writeCase.check, [], 'all')
  const verdict = judgeRows(answer, expected.check, true)
  return verdict.kind === 'wrong'
    ? { ...verdict, problem: `afterwards: ${verdict.problem}` }
    : verdict
}

function judgeStep(answer: CorpusAnswer, expected: StepOutcome | undefined): Verdict {
  if (expected === undefined) throw new TypeError('a step without an outcome')
  return expected.kind === 'refused'
    ? judgeRefusal(answer, expected.sqlstate)
    : judgeRows(answer, expected.rows, false)
}

function judgeRows(
  answer: CorpusAnswer,
  expected: readonly (readonly JsonValue[])[],
  ordered: boolean,
): Verdict {
  if (answer.status !== 200) return judgeError(answer)
  const { body } = answer
  const rows = typeof body === 'object' && body !== null && 'rows' in body ? body.rows : undefined
  const difference = compareRows(expected, rows, ordered)
  return difference === undefined ? equal : { kind: 'wrong', problem: difference }
}

/** Column names are compared where the answer has them, that is where `meta` was requested. */
function judgeNames({ body }: CorpusAnswer, expected: readonly string[]): Verdict {
  if (typeof body !== 'object' || body === null || !('columns' in body)) return equal
  const names = JSON.stringify(
    Array.isArray(body.columns) ? body.columns.map((column) => column?.name) : body.columns,
  )
  const problem = `columns ${JSON.stringify(expected)} expected, ${names} received`
  return names === JSON.stringify(expected) ? equal : { kind: 'wrong', problem }
}

function judgeRefusal(answer: CorpusAnswer, sqlstate: string): Verdict {
  if (answer.status === 200) {
    const body = JSON.stringify(answer.body).slice(0, 200)
    return { kind: 'wrong', problem: `PostgreSQL refuses with ${sqlstate}, answered: ${body}` }
  }
  const verdict = judgeError(answer)
  return verdict.kind === 'refused' ? equal : verdict
}

function judgeError(answer: CorpusAnswer): Verdict {
  const { status, body } = answer
  const problem = `${status} ${JSON.stringify(body)?.slice(0, 300)}`
  if (status >= 500) return { kind: 'serverError', problem }
  if (!refusalStatuses.has(status) || !isErrorBody(body)) return { kind: 'wrong', problem }
  return { kind: 'refused', status, problem }
}

/** Whether a body is an error of the data route: a code, a message and a correlation id. */
export function isErrorBody(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    ['error', 'message', 'correlation_id'].every(
      (key) => key in body && typeof Reflect.get(body, key) === 'string',
    ) &&
    !('rows' in body)
  )
}

interface ReportBuilder {
  readonly add: (
    named: { readonly group: string; readonly name: string },
    sql: string,
    portable: boolean,
    verdict: Verdict,
  ) => void
  readonly finish: () => CorpusReport
}

function createReport(): ReportBuilder {
  let equalCount = 0
  const refused: Refusal[] = []
  const wrong: Finding[] = []
  const serverErrors: Finding[] = []
  return {
    add: ({ group, name }, sql, portable, verdict) => {
      const id = `${group}: ${name}`
      if (verdict.kind === 'equal') equalCount += 1
      else if (verdict.kind === 'refused') refused.push({ id, sql, portable, ...verdict })
      else (verdict.kind === 'wrong' ? wrong : serverErrors).push({ id, sql, ...verdict })
    },
    finish: () => ({ equal: equalCount, refused, wrong, serverErrors }),
  }
}
