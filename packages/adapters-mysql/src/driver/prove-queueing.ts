/** @module Does everything between us and the server, proxies included, answer commands that were sent without waiting? */
import { noAnswer } from '@engine/core/adapter'
import type { DriverValue } from '../values/driver-value.ts'
import { createRowFormat } from './protocol/json-rows.ts'
import type { ResultReader } from './result-packets.ts'
import type { MysqlSession } from './session.ts'

const question = 'select ?'

/** As many as a proxy may get in one packet of the network. */
const questions = ['1', '2', '3', '4']

/** @param patienceMs for all answers together. @throws {Error} when they are missing, or mixed up. */
export async function proveQueueing(session: MysqlSession, patienceMs: number): Promise<void> {
  const timer = setTimeout(() => session.abandon(noAnswer()), patienceMs)
  try {
    await session.prepare(question)
    const answers = await Promise.all(questions.map((each) => ask(session, each)))
    if (answers.join() !== questions.join()) throw new Error(`the answers were ${answers}`)
  } finally {
    clearTimeout(timer)
  }
}

async function ask(session: MysqlSession, value: string): Promise<DriverValue | undefined> {
  let answer: DriverValue | undefined
  await session.queue(
    question,
    [value],
    readingOne((cell) => {
      answer = cell
    }),
  )
  return answer
}

function readingOne(onCell: (cell: DriverValue | undefined) => void): ResultReader {
  let format: ReturnType<typeof createRowFormat> | undefined
  return {
    columns: (columns) => {
      format = createRowFormat(columns, [])
    },
    row: (buffer, start, end) => {
      format?.locate(buffer, start, end)
      onCell(format?.value(0, buffer))
    },
  }
}
