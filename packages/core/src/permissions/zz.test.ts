import { test } from 'vitest'
import { refusal, user } from './test-support/authorize-for-test.ts'
import { admin } from '../caller.ts'
import { cases, callers, permissions } from './zz-cases.ts'
test('x', () => {
  for (const [sql, who] of cases) {
    let e: any
    try { e = refusal(sql, permissions, (callers as any)[who ?? 'r']) } catch (x) { console.log('NOT', sql, String(x)); continue }
    console.log(JSON.stringify([sql, who ?? 'r', { problem: e.problem, status: e.status, message: e.message, publicMessage: e.publicMessage, reason: e.reason, sqlState: e.sqlState, position: e.position, details: e.details }]))
  }
})
