/**
 * @module Is every answer right while the server is busy? Several callers ask at once, each answer is compared with the one that was
 * computed without a database, and a load generator asks meanwhile. `pnpm bench answers [database] [count]`
 */
import { databaseKinds, type MeasuredDatabase, openDatabase } from '../load/databases.ts'
import { sendRequests } from '../load/send-requests.ts'
import { secret, signToken } from '../load/setups.ts'
import { bodyOf, workloads } from '../load/workloads.ts'
import { mixedConfig } from '../steadiness/mixed-clients.ts'
import { startObserved } from '../steadiness/start-observed.ts'
import { callers } from './orders-of.ts'
import {
  type Answer,
  countQuestion,
  createQuestions,
  insertTitle,
  type Question,
} from './questions.ts'

const usualCount = 20_000
const clients = 32

/** Of the load beside the questions. */
const secondsOfLoad = 5

/** @throws {Error} when an answer is wrong. */
export async function checkAnswers(words: readonly string[]): Promise<void> {
  const chosen = databaseKinds.filter((name) => words.includes(name))
  const count = Number(words.find((word) => /^\d+$/.test(word)) ?? usualCount)
  for (const kind of chosen.length === 0 ? databaseKinds : chosen) {
    const database = await openDatabase(kind)
    try {
      await checkDatabase(database, count)
    } finally {
      await database.stop()
    }
  }
}

async function checkDatabase(database: MeasuredDatabase, count: number): Promise<void> {
  const server = await startObserved(mixedConfig(database))
  try {
    const tokens = new Map<string, string>()
    for (const caller of callers) tokens.set(caller, await signToken(secret, caller))
    const ask = (question: Question) => answerTo(server.url, tokens.get(question.caller), question)
    const run = new QuestionRun(ask, createQuestions(database.kind), count)
    await Promise.all([run.finished(), loadUntil(server.url, tokens.get(callers[0] ?? ''), run)])
    for (const caller of callers) await run.check(countQuestion(caller, run.insertsOf(caller)))
    console.log(`\n${database.title}: ${count} answers under load, ${run.wrong.length} wrong`)
    for (const [title, asked] of [...run.counts].toSorted()) console.log(`  ${asked} x ${title}`)
    if (run.wrong.length > 0) throw new Error(run.wrong.slice(0, 5).join('\n'))
  } finally {
    await server.stop()
  }
}

/** The questions in turn, several at once. */
class QuestionRun {
  readonly counts = new Map<string, number>()
  readonly wrong: string[] = []
  isOver = false
  readonly #inserts = new Map<string, number>()
  #next = 0
  readonly #ask: (question: Question) => Promise<Answer>
  readonly #questionOf: (number: number) => Question
  readonly #count: number

  constructor(
    ask: (question: Question) => Promise<Answer>,
    questionOf: (number: number) => Question,
    count: number,
  ) {
    this.#ask = ask
    this.#questionOf = questionOf
    this.#count = count
  }

  async finished(): Promise<void> {
    try {
      await Promise.all(Array.from({ length: clients }, () => this.#client()))
    } finally {
      this.isOver = true
    }
  }

  async check(question: Question): Promise<void> {
    const { title, caller } = question
    const answer = await this.#ask(question)
    this.counts.set(title, (this.counts.get(title) ?? 0) + 1)
    if (title === insertTitle && answer.status === 200) {
      this.#inserts.set(caller, this.insertsOf(caller) + 1)
    }
    if (question.isRight(answer)) return
    const got = JSON.stringify(answer.rows)?.slice(0, 300)
    this.wrong.push(
      `${caller}: ${question.sql} ${JSON.stringify(question.params)}: ${answer.status} ${got}`,
    )
  }

  /** Those that were acknowledged. */
  insertsOf(caller: string): number {
    return this.#inserts.get(caller) ?? 0
  }

  async #client(): Promise<void> {
    while (this.#next < this.#count) {
      this.#next += 1
      await this.check(this.#questionOf(this.#next))
    }
  }
}

async function answerTo(
  url: string,
  token: string | undefined,
  { sql, params }: Question,
): Promise<Answer> {
  const response = await fetch(`${url}/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ sql, params, method: 'all' }),
  })
  const { rows } = (await response.json()) as Pick<Answer, 'rows'>
  return { status: response.status, rows }
}

/** Reads of one of the callers. */
async function loadUntil(url: string, token: string | undefined, run: QuestionRun): Promise<void> {
  const requests = workloads
    .filter(({ name }) => name === 'W1' || name === 'W2')
    .flatMap((workload) =>
      workload.params.map((params) => ({ path: '/data', body: bodyOf(workload, params) })),
    )
  while (!run.isOver) {
    await sendRequests({ url, requests, authorization: `Bearer ${token}` }, secondsOfLoad)
  }
}
