/** Random sequences of messages, compared with PostgreSQL message by message. */
import { createRandom, type Random } from '@engine/fixtures'
import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, test } from 'vitest'
import {
  bind,
  closePortal,
  describePortal,
  describeStatement,
  execute,
  type Message,
  parse,
  query,
  sync,
} from './support/recording-client.ts'
import { type Comparison, openComparison, type Step } from './support/same-as-postgres.ts'

const texts = [
  ...['begin', 'begin read only', 'commit', 'rollback', 'commit and chain', 'rollback and chain'],
  ...['savepoint a', 'savepoint b', 'release a', 'release b', 'rollback to a', 'rollback to b'],
  ...['set transaction read only', "set application_name to 'x'", 'reset application_name'],
  ...["set local application_name to 'y'", 'show application_name', 'show timezone'],
  'select id from items order by id',
  'select id, name from items where id < 4 order by id',
  'select count(*) from empty',
  'insert into empty values (1)',
  'insert into empty values (2), (3) returning id',
  'delete from empty',
  'update items set note = name where id = 2 returning id, note',
  ...['bad syntax', 'select nope from items', '', 'select 1 as a', "select 'x' as b, 2 as c"],
  'declare c cursor for select id from items order by id',
  'declare d scroll cursor for select id from items order by id',
  'declare e cursor with hold for select id from items order by id',
  ...['fetch 2 from c', 'fetch all from d', 'fetch prior from d', 'fetch e', 'move 2 in c'],
  ...['fetch 3 from p', 'close c', 'discard all', 'deallocate s', 'deallocate all', 'execute s'],
  'prepare s as select id from items where id = 3',
  'copy empty to stdout',
]
const statements = ['', 's', 't']
const portals = ['p', 'c']

describePostgres('Random conversations', () => {
  let comparison: Comparison
  beforeAll(async () => {
    comparison = await openComparison()
  })
  afterAll(() => comparison?.close())

  test.each(Array.from({ length: 40 }, (_, i) => i + 1))('number %i', async (seed) => {
    const random = createRandom(seed)
    await comparison.same(...Array.from({ length: 10 }, () => randomStep(random)), [
      [query('rollback'), query('delete from empty'), query('update items set note = null')],
      3,
    ])
  })
})

/** A batch up to Sync. The number of ReadyForQuery in its answer is unknown: three empty queries mark its end. */
function randomStep(random: Random): Step {
  const messages = Array.from({ length: random.integer(1, 5) }, () => randomMessages(random)).flat()
  return [[...messages, sync, query(''), query(''), query('')], 'IZIZIZ']
}

function randomMessages(random: Random): readonly Message[] {
  const statement = random.pick(statements)
  const portal = random.pick(portals)
  const maxRows = random.pick([0, 1, 3])
  switch (random.integer(0, 7)) {
    case 0:
    case 1: {
      const count = random.integer(1, 3)
      return [query(Array.from({ length: count }, () => random.pick(texts)).join('; '))]
    }
    case 2:
    case 3:
      return [parse(random.pick(texts), statement)]
    case 4:
      return [bind([], { statement }), execute(maxRows)]
    case 5:
      return [
        bind([], { statement, portal }),
        describePortal(portal),
        execute(maxRows, portal),
        execute(maxRows, portal),
        closePortal(portal),
      ]
    case 6:
      return [describeStatement(statement)]
    default:
      return [bind([], { statement, portal }), sync, execute(maxRows, portal)]
  }
}
