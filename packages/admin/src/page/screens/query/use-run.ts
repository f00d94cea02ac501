/** @module Running statements as a caller, and the history of those that were run. */
import type { StatementAnswer } from '@engine/contract/admin-api'
import { useState } from 'react'
import { request } from '../../api/http.ts'
import { type Submit, useSubmit } from '../../api/use-submit.ts'
import { parseParams, type Subject, subjectBody, subjectText } from '../subject/subject.ts'
import { type PastQuery, readHistory, withQuery, writeHistory } from './history.ts'

export interface Run {
  readonly startedAtMs: number
  readonly sql: string
  readonly params: string
  readonly subject: Subject
}

export interface Outcome {
  readonly answer: StatementAnswer
  readonly elapsedMs: number
  readonly subject: string
}

export interface QueryHistory {
  /** Newest first. */
  readonly past: readonly PastQuery[]
  readonly add: (run: Run, outcome: string) => void
  readonly clear: () => void
}

export function useHistory(): QueryHistory {
  const [past, setPast] = useState(readHistory)
  const write = (next: readonly PastQuery[]) => {
    writeHistory(next)
    setPast(next)
  }
  return {
    past,
    add: ({ sql, params, subject, startedAtMs }, outcome) => {
      const query: PastQuery = {
        sql: sql.trim(),
        params: params.trim(),
        subject: subjectText(subject),
        atMs: startedAtMs,
        outcome,
      }
      write(withQuery(readHistory(), query))
    },
    clear: () => write([]),
  }
}

export function useRun({ add }: QueryHistory): Submit<Outcome, Run> {
  return useSubmit<Outcome, Run>({
    onDone: ({ answer }, run) => add(run, rowsText(answer.rowCount)),
    onFailed: ({ code }, run) => add(run, code),
    send: async (run, signal) => {
      const body = { sql: run.sql, params: parseParams(run.params), ...subjectBody(run.subject) }
      const startMs = performance.now()
      const answer = await request('POST /query', { body, signal })
      const elapsedMs = performance.now() - startMs
      return { answer, elapsedMs, subject: subjectText(run.subject) }
    },
  })
}

export function rowsText(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`
}
