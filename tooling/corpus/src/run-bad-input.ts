import { type BadInputCase, badInputCases } from './bad-input/index.ts'
import { type CorpusAnswer, isErrorBody } from './run-corpus.ts'

/** The target of the bodies: the data route over HTTP. */
export interface BadInputSubject {
  /** Posts a body unchanged; `body` of the answer is its parsed JSON. */
  readonly post: (
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>>,
  ) => Promise<CorpusAnswer>
}

export interface BadInputFinding {
  readonly id: string
  readonly problem: string
}

/** A valid body whose answer never changes: it shows that the server runs and nothing was written. */
export const canaryBody: string = JSON.stringify({
  sql: `select (select count(*) from "main"."tags"), (select count(*) from "main"."scratch"),
    (select count(*) from "main"."orders"), (select sum(id) from "main"."tags")`,
  params: [],
  method: 'all',
})

const json = { 'content-type': 'application/json' }

/** Posts every body and returns the errors: a status, a shape, a server that does not answer, a change. */
export async function runBadInput(
  subject: BadInputSubject,
  cases: readonly BadInputCase[] = badInputCases,
): Promise<readonly BadInputFinding[]> {
  const findings: BadInputFinding[] = []
  const before = JSON.stringify(await subject.post(canaryBody, json))
  for (const badInput of cases) {
    const id = `${badInput.group}: ${badInput.name}`
    const problems = [
      problemOf(badInput, await subject.post(badInput.body, { ...json, ...badInput.headers })),
      JSON.stringify(await subject.post(canaryBody, json)) === before
        ? undefined
        : 'afterwards the server answers a good request differently',
    ]
    for (const problem of problems) if (problem !== undefined) findings.push({ id, problem })
  }
  return findings
}

function problemOf(badInput: BadInputCase, answer: CorpusAnswer): string | undefined {
  const { status, body } = answer
  const text = JSON.stringify(body)?.slice(0, 300)
  if (!badInput.allowed.includes(status)) {
    return `status ${status}, allowed are ${badInput.allowed.join(', ')}: ${text}`
  }
  if (status !== 200 && !isErrorBody(body)) return `status ${status} without an error body: ${text}`
  return undefined
}
