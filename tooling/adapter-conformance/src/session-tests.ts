import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '@engine/core'
import type { IsolationLevel, Session } from '@engine/core/adapter'
import { beforeEach, describe, expect } from 'vitest'
import { type Client, openClient } from './client.ts'
import type { Opened } from './opened.ts'

const insert = 'insert into tags (id, name) values ($1, $2)'
const added = 'select id from tags where id > 900 order by id'

const readWrite = { readOnly: false, isolation: undefined } as const

async function add(client: Client, ...ids: readonly number[]): Promise<void> {
  for (const id of ids) await client.rows(insert, [String(id), `tag ${id}`])
}

async function ids(client: Client): Promise<readonly unknown[]> {
  return (await client.rows(added)).flat()
}

type Savepoints = Required<Pick<Session, 'savepoint' | 'rollBackTo' | 'releaseSavepoint'>> & Session

function withSavepoints(session: Session): Savepoints {
  const { savepoint, rollBackTo, releaseSavepoint } = session
  if (savepoint === undefined || rollBackTo === undefined || releaseSavepoint === undefined) {
    throw new Error('savepoints were expected')
  }
  return { ...session, savepoint, rollBackTo, releaseSavepoint }
}

/** Transactions of client sessions: savepoints, modes, and pauses between statements. */
export function sessionTests(opened: Opened, queryTimeoutMs: number): void {
  const { engine, reset } = opened
  describe('sessions', () => {
    beforeEach(() => reset())
    const client = () => openClient(engine())
    savepointTests(opened, client)
    modeTests(opened, client)
    idleTests(opened, client, queryTimeoutMs)
  })
}

function savepointTests({ adapter, executionOf, openEngine, check }: Opened, open: () => Client) {
  check(
    'savepoints inside each other: what is undone is gone, what is released stays',
    async () => {
      const client = open()
      const { session } = client
      session.begin(readWrite)
      await add(client, 901)
      await session.savepoint('outer')
      await add(client, 902)
      await session.savepoint('inner')
      await add(client, 903)
      await session.rollBackTo('inner')
      expect(await ids(client)).toEqual(['901', '902'])
      await add(client, 904)
      await session.release('inner')
      expect(await ids(client)).toEqual(['901', '902', '904'])
      await session.rollBackTo('outer')
      await session.rollBackTo('outer')
      await add(client, 905)
      await session.commit()
      expect(await ids(open())).toEqual(['901', '905'])
    },
  )

  check('a savepoint of the same name hides the older one until it is released', async () => {
    const client = open()
    const { session } = client
    session.begin(readWrite)
    await session.savepoint('s')
    await add(client, 901)
    await session.savepoint('s')
    await add(client, 902)
    await session.rollBackTo('s')
    expect(await ids(client)).toEqual(['901'])
    await session.release('s')
    await session.rollBackTo('s')
    expect(await ids(client)).toEqual([])
    await session.release('s')
    await expect(session.rollBackTo('s')).rejects.toMatchObject({ sqlState: '3B001' })
    await session.commit()
    expect(await ids(open())).toEqual([])
  })

  check('a failed statement is taken back by returning to a savepoint', async () => {
    const client = open()
    const { session } = client
    session.begin(readWrite)
    await add(client, 901)
    await session.savepoint('before')
    await add(client, 902)
    expect(await client.errorOf(insert, ['1', 'taken'])).toMatchObject({ code: 'CONFLICT' })
    await expect(client.rows(added)).rejects.toMatchObject({ sqlState: '25P02' })
    await session.rollBackTo('before')
    expect(await ids(client)).toEqual(['901'])
    await add(client, 903)
    await session.commit()
    expect(await ids(open())).toEqual(['901', '903'])
  })

  check('a statement of which one row fails leaves none of its rows', async () => {
    const client = open()
    const { session } = client
    session.begin(readWrite)
    await session.savepoint('before')
    const sql = `insert into tags (id, name) values (901, 'p'), (902, 'q'), (1, 'taken') returning id`
    expect(await client.errorOf(sql)).toMatchObject({ code: 'CONFLICT' })
    await session.rollBackTo('before')
    await session.commit()
    expect(await ids(open())).toEqual([])
  })

  check('a failed check is taken back by returning to a savepoint', async () => {
    const limited = await openEngine({
      permissions: {
        clerks: {
          table: 'main.tags',
          roles: ['clerk'],
          select: {},
          insert: { check: { id: { $gt: 900 } } },
          update: { where: { id: { $gt: 900 } }, check: { name: { $ne: 'forbidden' } } },
        },
      },
    })
    try {
      const clerk: Caller = { kind: 'user', id: 'u', roles: ['clerk'], fields: {} }
      const client = openClient(limited, clerk)
      const { session } = client
      session.begin(readWrite)
      await add(client, 901)
      await session.savepoint('before')
      for (const sql of [
        `insert into tags (id, name) values (902, 'x'), (900, 'y')`,
        `update tags set name = 'forbidden' where id = 901 returning id`,
      ]) {
        expect(await client.errorOf(sql)).toMatchObject({ code: 'VALIDATION_ERROR' })
        await session.rollBackTo('before')
      }
      expect(await client.rows('select id, name from tags where id > 900')).toEqual([
        ['901', 'tag 901'],
      ])
      await session.commit()
      expect(await ids(openClient(limited))).toEqual(['901'])
    } finally {
      await limited.close()
    }
  })

  check(
    'a savepoint may come before everything, and again after everything was undone',
    async () => {
      const write = await executionOf(`insert into "main"."tags" (id, name) values ($1, $2)`, [
        901,
        'first',
      ])
      for (const isolation of ['read committed', undefined] as const) {
        const modes = { timeoutMs: 1_500, readOnly: false, signal: undefined, isolation }
        await adapter().transaction(modes, async (session) => {
          const { savepoint, rollBackTo, releaseSavepoint, execute } = withSavepoints(session)
          await savepoint('engine_1')
          await execute(write)
          await rollBackTo('engine_1')
          await savepoint('engine_2')
          await execute(write)
          await expect(execute(write)).rejects.toMatchObject({ problem: 'conflict' })
          await rollBackTo('engine_2')
          await releaseSavepoint('engine_1')
        })
      }
      expect(await ids(open())).toEqual([])
    },
  )
}

function modeTests({ adapter, executionOf, check }: Opened, open: () => Client) {
  check('nothing can be written in a read-only transaction, nor locked', async () => {
    const write = await executionOf(`insert into "main"."tags" (id, name) values ($1, $2)`, [
      901,
      'first',
    ])
    const levels: readonly (IsolationLevel | undefined)[] = [
      undefined,
      'read uncommitted',
      'read committed',
      'repeatable read',
      'serializable',
    ]
    for (const isolation of levels) {
      const modes = { timeoutMs: 1_500, readOnly: true, signal: undefined, isolation }
      const written = adapter().transaction(modes, (session) => session.execute(write))
      await expect(written).rejects.toMatchObject({ sqlState: '25006' })
    }
    const client = open()
    client.session.begin({ readOnly: true, isolation: undefined })
    expect(await client.errorOf(insert, ['901', 'x'])).toMatchObject({ sqlState: '25006' })
    await client.session.rollBack()
    expect(await ids(open())).toEqual([])
  })

  check('every isolation level is taken: a transaction in it sees what it wrote', async () => {
    for (const isolation of [
      'read uncommitted',
      'read committed',
      'repeatable read',
      'serializable',
    ] as const) {
      const client = open()
      client.session.begin({ readOnly: false, isolation })
      await add(client, 901)
      expect(await ids(client)).toEqual(['901'])
      await client.session.rollBack()
    }
    expect(await ids(open())).toEqual([])
  })

  check(
    'a repeatable read sees one state, a committed one what others have committed',
    async () => {
      const seen = async (modes: { readOnly: boolean; isolation: IsolationLevel }, id: number) => {
        const client = open()
        client.session.begin(modes)
        const before = await ids(client)
        await add(open(), id)
        const after = await ids(client)
        await client.session.commit()
        return [before, after]
      }
      expect(await seen({ readOnly: true, isolation: 'repeatable read' }, 901)).toEqual([[], []])
      expect(await seen({ readOnly: false, isolation: 'read committed' }, 902)).toEqual([
        ['901'],
        ['901', '902'],
      ])
    },
  )
}

function idleTests({ check }: Opened, open: () => Client, queryTimeoutMs: number) {
  check('a transaction may be idle for longer than any statement may take', async () => {
    const client = open()
    client.session.begin(readWrite)
    await add(client, 901)
    await client.session.savepoint('s')
    await delay(queryTimeoutMs + 300)
    await add(client, 902)
    await delay(queryTimeoutMs + 300)
    await client.session.rollBackTo('s')
    await client.session.commit()
    expect(await ids(open())).toEqual(['901'])
  })

  check('who has written and thinks keeps nobody from reading', async () => {
    const client = open()
    client.session.begin(readWrite)
    await add(client, 901)
    const others = await Promise.all(Array.from({ length: 8 }, () => ids(open())))
    expect(others.flat()).toEqual([])
    const second = open()
    second.session.begin(readWrite)
    expect(await ids(second)).toEqual([])
    await client.session.commit()
    expect(await ids(second)).toEqual(['901'])
    await second.session.rollBack()
  })

  check('who has only read keeps nobody from writing', async () => {
    const readers = Array.from({ length: 5 }, open)
    for (const reader of readers) {
      reader.session.begin(readWrite)
      expect(await ids(reader)).toEqual([])
    }
    await add(open(), 901)
    for (const reader of readers) {
      expect(await ids(reader)).toEqual(['901'])
      await reader.session.commit()
    }
  })

  check(
    'a write waits for a transaction that wrote to the same row, and sees what it did',
    async () => {
      const bump = `update tags set name = name || '!' where id = 1`
      const before = await open().row('select name from tags where id = 1')
      const client = open()
      client.session.begin(readWrite)
      await client.rows(bump)
      const waiting = open().rows(bump)
      await client.rows(bump)
      await client.session.commit()
      await waiting
      const after = await open().row('select name from tags where id = 1')
      expect(after).toEqual([`${before[0]}!!!`])
    },
  )

  check('a client that goes away leaves nothing', async () => {
    const client = open()
    client.session.begin(readWrite)
    await add(client, 901)
    await client.session.end()
    await add(open(), 902)
    expect(await ids(open())).toEqual(['902'])
  })

  check('a query is read in pieces, with statements in between', async () => {
    const client = open()
    client.session.begin(readWrite)
    const statement = {
      sql: 'select id from tags where id <= 5 order by id',
      parameterOids: [],
      searchPath: ['main'],
    }
    const cursor = await client.session.open(statement, { params: [], signal: undefined })
    expect(await cursor.fetch(2)).toEqual([['1'], ['2']])
    await add(client, 901)
    expect(await cursor.fetch(2)).toEqual([['3'], ['4']])
    expect(await cursor.fetch(2)).toEqual([['5']])
    expect(await cursor.fetch(2)).toEqual([])
    await cursor.close()
    await client.session.commit()
    expect(await ids(open())).toEqual(['901'])
  })
}
