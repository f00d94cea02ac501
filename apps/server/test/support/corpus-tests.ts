import {
  type CorpusReport,
  type CorpusSubject,
  formatReport,
  queryCases,
  rejectedCases,
  runCorpus,
  writeCases,
} from '@engine/corpus'
import { expect, test } from 'vitest'

/**
 * JSON columns of databases without PostgreSQL's two types are jsonb to the gateway. These statements test properties
 * of PostgreSQL's `json` only: that it cannot be compared, and keeps the spelling of the stored text.
 */
const aboutJsonType: ReadonlySet<string> = new Set([
  'json cannot be distinct',
  'json cannot be grouped',
  'json cannot be sorted',
  'json has no equality',
  'json column operators',
  'typeof samples',
])

const isComparable = ({ name }: { readonly name: string }) => !aboutJsonType.has(name)

export interface CorpusTestOptions {
  /** Only to be called inside a test. */
  readonly subject: () => CorpusSubject
  /** Portable statements that are known to be refused. */
  readonly refused: ReadonlySet<string>
  /** Writes of texts that the columns of the database cannot store: they must be refused. Only called inside a test. */
  readonly untranslatable?: (id: string) => boolean
  /** How often each query is run; 1 by default. */
  readonly rounds?: number
}

/** Every statement of the corpus as a test, for a database that is not PostgreSQL. */
export function corpusTests({
  subject,
  refused,
  untranslatable = () => false,
  rounds = 1,
}: CorpusTestOptions): void {
  /** Equal, or refused where that is known and clear: never another answer, never a 5xx. */
  const verify = (id: string, portable: boolean, report: CorpusReport) => {
    expect(report.wrong.length + report.serverErrors.length, formatReport(report)).toBe(0)
    const mayRefuse = !portable || refused.has(id)
    if (!mayRefuse) expect(report.equal, formatReport(report)).toBe(1)
    if (portable && mayRefuse) expect(report.refused, `${id} is answered now`).toHaveLength(1)
  }

  test.each(
    queryCases
      .filter(isComparable)
      .map((query) => ({ id: `${query.group}: ${query.name}`, query })),
  )('$id', async ({ id, query }) => {
    for (let round = 0; round < rounds; round += 1) {
      verify(id, query.portable, await runCorpus(subject(), { queries: [query] }))
    }
  })
  test.each(
    rejectedCases
      .filter(isComparable)
      .map((rejected) => ({ id: `${rejected.group}: ${rejected.name}`, rejected })),
  )('refused: $id', async ({ rejected }) => {
    const report = await runCorpus(subject(), { rejected: [rejected] })
    expect(report.equal, formatReport(report)).toBe(1)
  })
  test.each(
    writeCases
      .filter(isComparable)
      .map((write) => ({ id: `${write.group}: ${write.name}`, write })),
  )('writes: $id', async ({ id, write }) => {
    const report = await runCorpus(subject(), { writes: [write] })
    if (!untranslatable(id) || refused.has(id)) return verify(id, write.portable, report)
    const refusal = {
      status: 422,
      problem: expect.stringContaining('A character cannot be stored.'),
    }
    expect(report.refused, formatReport(report)).toMatchObject([refusal])
  })
}
