/** @module Two counters whose sum is always zero: batches and actions move one from one to the other. */
import { randomUUID } from 'node:crypto'
import type { Random } from '@engine/fixtures'
import type { ConnectionName, Target } from '../target.ts'
import { createCounter } from './counter.ts'
import type { Entries } from './entries.ts'
import { insertCounter } from './ledger.ts'
import { someMember } from './member.ts'
import { expectStatus, type Sent, type Service, statement, type Worker } from './service.ts'

export async function createTransfers(
  service: Service,
  random: Random,
  connection: ConnectionName,
  entries: Entries,
): Promise<Worker> {
  const member = await someMember(service)
  const needs: readonly Target[] = ['service', connection]
  const from = await insertCounter(service, member, connection)
  const to = await insertCounter(service, member, connection)
  const counter = createCounter(() => performance.now())
  const complain = (what: string, sent: Sent) =>
    service.findings.add(
      'wrong data',
      `transfers ${connection}: ${what}, ${sent.asked.id} at ${sent.node.name}`,
    )
  const move = (by: string, id: string) => ({
    sql: `update ${connection}.counters set n = n ${by} where id = $1`,
    params: [id],
    method: 'run',
  })
  const post = (kind: string, path: string, body: unknown) =>
    service.send(`${kind} ${connection}`, needs, {
      method: 'POST',
      path,
      token: member.token,
      body,
    })
  const settle = (sent: Sent, name: string) => {
    if (sent.kind !== 'answered') return counter.maybeAdded()
    if (!expectStatus(service, sent, name, 200)) return undefined
    const { asked, node } = sent
    service.acknowledged.push({ id: asked.id, node: node.name, endMs: asked.endMs })
    counter.added()
  }
  const read = async () => {
    const sql = `select id, n from ${connection}.counters where id = $1 or id = $2`
    const sent = await service.send(
      `read of two ${connection}`,
      needs,
      statement(member.token, sql, [from, to]),
    )
    if (!expectStatus(service, sent, 'read of two', 200) || sent.kind !== 'answered') return
    const rows: readonly (readonly [string, number])[] = sent.answer.body.rows
    const values = new Map(rows)
    const [taken = Number.NaN, given = Number.NaN] = [values.get(from), values.get(to)]
    if (taken + given !== 0) complain(`half of a transfer: ${taken} and ${given}`, sent)
    const fault = counter.read(given)
    if (fault !== undefined) complain(fault, sent)
  }
  const batch = async () => {
    const statements = [move('- 1', from), move('+ 1', to)]
    settle(await post('batch', '/data/batch', { statements }), 'batch')
  }
  const action = async () =>
    settle(await post('action', '/actions/transfer', { connection, from, to }), 'action')
  /** Its last statement is refused: no statement of it may take effect. */
  const refusedBatch = async () => {
    const id = randomUUID()
    entries.set(id, 'refused')
    const refused = {
      sql: `insert into ${connection}.entries (id, owner, amount) values ($1, $2, -1)`,
      params: [id, member.id],
      method: 'run',
    }
    const statements = [move('- 1', from), move('+ 1', to), refused]
    const sent = await post('refused batch', '/data/batch', { statements })
    expectStatus(service, sent, 'refused batch', 422)
  }
  const wrongInput = async () => {
    const sent = await post('wrong input', '/actions/transfer', { connection, from })
    expectStatus(service, sent, 'wrong input', 400)
  }
  return {
    name: `transfers ${connection}`,
    step: async () => {
      const chance = random.integer(1, 100)
      if (chance <= 35) await read()
      else if (chance <= 60) await batch()
      else if (chance <= 85) await action()
      else if (chance <= 95) await refusedBatch()
      else await wrongInput()
    },
  }
}
