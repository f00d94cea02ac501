import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { check, type OwnCheck } from '../own-client.ts'
import { fieldsOf } from './backend.ts'
import {
  int32,
  message,
  parameters,
  parse,
  query,
  startup,
  sync,
  terminate,
  text,
} from './frontend.ts'
import { logIn, openSocket } from './raw-client.ts'

const slow = 'select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0'
/** Sends cancel requests until the statement has ended: a request before its start does nothing. */
async function cancelledUntil<Said>(
  running: Promise<Said>,
  cancel: () => Promise<void>,
): Promise<Said> {
  let isOver = false
  const ended = running.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await sleep(50)
    await cancel()
  }
  return ended
}

const codes = { cancel: 80877102, tls: 80877103, gss: 80877104 }

/** How a connection begins and ends. */
export const startupChecks: readonly OwnCheck[] = [
  check('protocol: the server tells what drivers want to know', async ({ target }) => {
    const session = await logIn(target, { parameters: { application_name: 'raw' } })
    session.end()
    const told = new Map(
      session.greeting
        .filter((words) => words.startsWith('S '))
        .map((words) => words.slice(2).split('=') as [string, string]),
    )
    const expected = {
      application_name: 'raw',
      client_encoding: 'UTF8',
      server_encoding: 'UTF8',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      TimeZone: 'UTC',
      integer_datetimes: 'on',
      standard_conforming_strings: 'on',
      default_transaction_read_only: 'off',
      in_hot_standby: 'off',
      session_authorization: target.user,
    }
    for (const [name, value] of Object.entries(expected)) equal(told.get(name), value, name)
    match(told.get('server_version') ?? '', /^\d+(\.\d+)?/)
    equal(session.greeting.at(-1), 'Z I')
    equal(session.key.length, 8)
  }),
  check(
    'protocol: GSSENC is not offered, and the startup goes on',
    async ({ target }) => {
      const socket = await openSocket(target)
      socket.send(startup(codes.gss))
      equal((await socket.nextBytes(1)).toString(), 'N')
      socket.send(startup(196608, parameters({ user: target.user, database: target.database })))
      equal((await socket.next())?.type, 'R')
      socket.close()
    },
    'engine',
  ),
  check(
    'protocol: TLS is not offered where none is configured, and the startup goes on',
    async ({ target }) => {
      const socket = await openSocket(target)
      socket.send(startup(codes.tls))
      equal((await socket.nextBytes(1)).toString(), 'N')
      socket.send(startup(196608, parameters({ user: target.user, database: target.database })))
      equal((await socket.next())?.type, 'R')
      socket.close()
    },
  ),
  check('protocol: a version that does not exist is refused', async ({ target }) => {
    for (const version of [262144, 393216]) {
      const socket = await openSocket(target)
      socket.send(startup(version, parameters({ user: target.user })))
      const said = await socket.next()
      equal(said?.type, 'E')
      const fields = fieldsOf(said?.body ?? Buffer.alloc(0))
      deepEqual([fields.get('S'), fields.get('C')], ['FATAL', '0A000'])
      match(fields.get('M') ?? '', /unsupported frontend protocol/)
      equal(await socket.next(), undefined)
    }
  }),
  check('protocol: a newer version and unknown options are negotiated', async ({ target }) => {
    const session = await logIn(target, {
      protocol: 196608 + 9999,
      parameters: { '_pq_.unknown': 'on' },
    })
    ok(session.greeting.includes('v'), session.greeting.join(' ; '))
    deepEqual(await session.exchange([query('select 1')]), [
      'T ?column?:0:23:4:-1:0',
      'D 1',
      'C SELECT 1',
      'Z I',
    ])
    session.end()
  }),
  check('protocol: a startup without a user is refused', async ({ target }) => {
    const socket = await openSocket(target)
    socket.send(startup(196608, parameters({ database: target.database })))
    const said = await socket.next()
    equal(said?.type, 'E')
    equal(fieldsOf(said?.body ?? Buffer.alloc(0)).get('C'), '28000')
    equal(await socket.next(), undefined)
  }),
  check('protocol: a startup that is too long is not read', async ({ target }) => {
    const socket = await openSocket(target)
    socket.send(int32(100_000), int32(196608), Buffer.alloc(20_000, 'x'))
    equal(await socket.next(), undefined)
  }),
  check('protocol: nonsense is not answered at length', async ({ target }) => {
    const socket = await openSocket(target)
    socket.send(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
    const said = await socket.next()
    if (said !== undefined) equal(said.type, 'E')
    socket.close()
  }),
  check('protocol: a message before the password ends the connection', async ({ target }) => {
    const socket = await openSocket(target)
    socket.send(startup(196608, parameters({ user: target.user, database: target.database })))
    equal((await socket.next())?.type, 'R')
    socket.send(query('select 1'))
    const said = await socket.next()
    if (said !== undefined) equal(said.type, 'E')
    equal(await socket.next(), undefined)
  }),
  check('protocol: a wrong password is refused with its code', async ({ target }) => {
    await rejects(logIn({ ...target, password: 'wrong' }), /authentication failed/)
  }),
  check('protocol: settings of the startup message count', async ({ target }) => {
    const session = await logIn(target, {
      parameters: { TimeZone: 'Asia/Tokyo', options: '-c statement_timeout=7s' },
    })
    ok(session.greeting.includes('S TimeZone=Asia/Tokyo'))
    const said = await session.exchange([
      query('show statement_timeout; reset timezone; show timezone'),
    ])
    ok(said.includes('D 7s') && said.includes('D Asia/Tokyo'), said.join(' ; '))
    session.end()
  }),
  check('protocol: an unknown setting at startup is refused', async ({ target }) => {
    await rejects(
      logIn(target, { parameters: { nothing_at_all: 'x' } }),
      /unrecognized configuration parameter/,
    )
  }),
  check('protocol: a cancel request ends the statement that runs', async ({ target }) => {
    const session = await logIn(target)
    const running = session.exchange([query(slow)])
    const said = await cancelledUntil(running, async () => {
      const socket = await openSocket(target)
      socket.send(startup(codes.cancel, session.key))
      equal(await socket.next(), undefined)
    })
    deepEqual(said.slice(-2), ['E 57014', 'Z I'])
    deepEqual((await session.exchange([query('select 1')])).at(-2), 'C SELECT 1')
    session.end()
  }),
  check('protocol: a cancel request with a wrong secret does nothing', async ({ target }) => {
    const session = await logIn(target)
    const running = session.exchange([
      query('select count(*) from main.numbers a where a.n < 50000'),
    ])
    const wrong = Buffer.from(session.key)
    wrong[7] = (wrong[7] ?? 0) ^ 1
    const socket = await openSocket(target)
    socket.send(startup(codes.cancel, wrong))
    equal(await socket.next(), undefined)
    equal((await running).at(-2), 'C SELECT 1')
    session.end()
  }),
  check('protocol: Terminate closes and rolls back', async ({ target, freshId }) => {
    const [session, other, id] = [await logIn(target), await logIn(target), freshId()]
    await session.exchange([query('begin')])
    await session.exchange([query(`insert into main.scratch (id, name) values (${id}, 'x')`)])
    session.send(terminate)
    equal(await session.next(), undefined)
    const said = await other.exchange([query(`select count(*) from main.scratch where id = ${id}`)])
    ok(said.includes('D 0'), said.join(' ; '))
    other.end()
  }),
  check(
    'protocol: a socket that breaks within a transaction rolls back',
    async ({ target, freshId }) => {
      const [session, other, id] = [await logIn(target), await logIn(target), freshId()]
      await session.exchange([query('begin')])
      await session.exchange([query(`insert into main.scratch (id, name) values (${id}, 'x')`)])
      session.close()
      await sleep(100)
      const said = await other.exchange([
        query(`insert into main.scratch (id, name) values (${id}, 'y')`),
      ])
      deepEqual(said, ['C INSERT 0 1', 'Z I'])
      other.end()
    },
  ),
  check('protocol: messages may come byte by byte', async ({ target }) => {
    const session = await logIn(target)
    const bytes = Buffer.concat([query('select 1'), parse('select 2'), sync])
    for (const byte of bytes) {
      session.send(Buffer.from([byte]))
      await sleep(1)
    }
    deepEqual(await session.exchange([], 2), [
      'T ?column?:0:23:4:-1:0',
      'D 1',
      'C SELECT 1',
      'Z I',
      '1',
      'Z I',
    ])
    session.end()
  }),
  check('protocol: a length that cannot be is answered by the end', async ({ target }) => {
    for (const length of [0, 3, -1, 0x7fffffff]) {
      const session = await logIn(target)
      session.send(Buffer.from('Q'), int32(length), Buffer.alloc(8))
      const words = await session.exchange([])
      equal(words.at(-1), 'closed', `${length}: ${words.join(' ; ')}`)
    }
  }),
  check('protocol: errors have severity, code, message and place', async ({ target }) => {
    const session = await logIn(target)
    session.send(query("select 'é', nothing from main.tags"))
    const fields = fieldsOf((await session.next())?.body ?? Buffer.alloc(0))
    deepEqual(
      ['S', 'V', 'C', 'P'].map((letter) => fields.get(letter)),
      ['ERROR', 'ERROR', '42703', '13'],
    )
    session.end()
  }),
  check('protocol: a long statement and a long value travel', async ({ target }) => {
    const session = await logIn(target)
    const long = 'x'.repeat(300_000)
    const said = await session.exchange([query(`select length('${long}') /* ${long} */`)])
    equal(said[1], 'D 300000')
    session.end()
  }),
  check('protocol: a password that is a message of another kind is none', async ({ target }) => {
    const socket = await openSocket(target)
    socket.send(startup(196608, parameters({ user: target.user, database: target.database })))
    equal((await socket.next())?.type, 'R')
    socket.send(message('p', text('')))
    const said = await socket.next()
    if (said !== undefined) equal(said.type, 'E')
    equal(await socket.next(), undefined)
  }),
  check(
    'protocol: a session that is idle in a transaction for too long is ended',
    async ({ target }) => {
      const session = await logIn(target)
      await session.exchange([query('set idle_in_transaction_session_timeout to 200')])
      await session.exchange([query('begin')])
      deepEqual(await session.exchange([]), ['E 25P03', 'closed'])
    },
  ),
  check('protocol: a session that is idle for too long is ended', async ({ target }) => {
    const session = await logIn(target)
    await session.exchange([query('set idle_session_timeout to 200')])
    deepEqual(await session.exchange([]), ['E 57P05', 'closed'])
  }),
]
