/** @module Reads and writes of one table, each compared with what was acknowledged before. */
import { randomUUID } from 'node:crypto'
import type { Random } from '@engine/fixtures'
import type { ConnectionName, Target } from '../target.ts'
import { createCounter } from './counter.ts'
import { countFault, type Entries } from './entries.ts'
import { type Member, someMember } from './member.ts'
import { expectStatus, type Sent, type Service, statement, type Worker } from './service.ts'

/** Maximum number of entries that are read again; older ones are compared at the end. */
const looked = 50

export async function createLedger(
  service: Service,
  random: Random,
  connection: ConnectionName,
  entries: Entries,
): Promise<Worker> {
  const member = await someMember(service)
  const name = `ledger ${connection}`
  const needs: readonly Target[] = ['service', connection]
  const send = (kind: string, sql: string, params: readonly unknown[], method?: 'get' | 'run') =>
    service.send(`${kind} ${connection}`, needs, statement(member.token, sql, params, method))
  const complain = (what: string, sent: Sent) =>
    service.findings.add('wrong data', `${name}: ${what}, ${sent.asked.id} at ${sent.node.name}`)
  const acknowledge = ({ asked, node }: Sent) =>
    service.acknowledged.push({ id: asked.id, node: node.name, endMs: asked.endMs })
  const table = `${connection}.entries`
  const recent: string[] = []

  const counter = createCounter(() => performance.now())
  const counterId = await insertCounter(service, member, connection)

  const readCounter = async () => {
    const sql = `select n from ${connection}.counters where id = $1`
    const sent = await send('read', sql, [counterId], 'get')
    if (!expectStatus(service, sent, 'read', 200) || sent.kind !== 'answered') return
    const fault = counter.read(sent.answer.body.rows?.[0])
    if (fault !== undefined) complain(`counter ${fault}`, sent)
  }
  const increment = async () => {
    const sql = `update ${connection}.counters set n = n + 1 where id = $1 returning n`
    const sent = await send('update', sql, [counterId], 'get')
    if (sent.kind !== 'answered') return counter.maybeAdded()
    // The database rolled the transaction back: it was not executed.
    if (!expectStatus(service, sent, 'update', 200)) return undefined
    acknowledge(sent)
    const fault = counter.added(sent.answer.body.rows?.[0])
    if (fault !== undefined) complain(`counter ${fault}`, sent)
  }
  const readOthers = async () => {
    const sql = `select id from ${connection}.counters where owner <> $1`
    const sent = await send('read of others', sql, [member.id])
    if (!expectStatus(service, sent, 'read of others', 200) || sent.kind !== 'answered') return
    if (sent.answer.body.rows?.length !== 0) complain('rows of others are seen', sent)
  }
  const insert = async () => {
    const id = randomUUID()
    entries.set(id, 'unknown')
    const sql = `insert into ${table} (id, owner, amount) values ($1, $2, $3)`
    const sent = await send('insert', sql, [id, member.id, random.integer(0, 1000)], 'run')
    if (!expectStatus(service, sent, 'insert', 200)) return
    acknowledge(sent)
    entries.set(id, 'stored')
    recent.push(id)
    if (recent.length > looked) recent.shift()
  }
  const insertRefused = async () => {
    const id = randomUUID()
    entries.set(id, 'refused')
    const sql = `insert into ${table} (id, owner, amount) values ($1, $2, $3)`
    const isOwn = random.chance(50)
    const values = isOwn ? [member.id, -1] : ['somebody else', 1]
    const sent = await send('refused insert', sql, [id, ...values], 'run')
    expectStatus(service, sent, 'refused insert', 422)
  }
  const countEntry = async () => {
    const id = random.pick(recent)
    const sent = await send('count', `select count(*) from ${table} where id = $1`, [id], 'get')
    if (!expectStatus(service, sent, 'count', 200) || sent.kind !== 'answered') return
    const count = Number(sent.answer.body.rows?.[0])
    const fault = countFault(entries.get(id) ?? 'unknown', count)
    if (fault !== undefined) complain(`entry ${id} is ${fault}`, sent)
  }
  const deleteEntry = async () => {
    const id = recent.shift() ?? ''
    entries.set(id, 'unknown')
    const sent = await send('delete', `delete from ${table} where id = $1`, [id], 'run')
    if (!expectStatus(service, sent, 'delete', 200)) return
    acknowledge(sent)
    entries.set(id, 'deleted')
  }
  const mistake = async () => {
    const [sql, status] = random.pick([
      ['selec', 400],
      [`select * from ${connection}.nothing`, 404],
      [`select nothing from ${connection}.entries`, 400],
    ] as const)
    const sent = await send('mistake', sql, [])
    expectStatus(service, sent, sql, status)
  }

  return {
    name,
    step: async () => {
      const chance = random.integer(1, 100)
      if (chance <= 30) await readCounter()
      else if (chance <= 52) await increment()
      else if (chance <= 72 || recent.length < 2) await insert()
      else if (chance <= 80) await countEntry()
      else if (chance <= 86) await insertRefused()
      else if (chance <= 91) await readOthers()
      else if (chance <= 96) await deleteEntry()
      else await mistake()
    },
  }
}

/** A counter at zero; when the answer of the insert is lost, an insert with another id follows. */
export async function insertCounter(
  service: Service,
  member: Member,
  connection: ConnectionName,
): Promise<string> {
  for (;;) {
    const id = randomUUID()
    const sql = `insert into ${connection}.counters (id, owner, n) values ($1, $2, 0)`
    const sent = await service.send(
      `insert ${connection}`,
      ['service', connection],
      statement(member.token, sql, [id, member.id], 'run'),
    )
    if (expectStatus(service, sent, 'insert of a counter', 200)) return id
  }
}
