/** @module Requests of several callers, each with the one right answer. */
import type { DatabaseKind } from '../load/databases.ts'
import { callers, type Order, ordersOf } from './orders-of.ts'

/** An answer: its status, and the rows where there are any. */
export interface Answer {
  readonly status: number
  readonly rows: readonly (readonly unknown[])[] | undefined
}

export interface Question {
  readonly title: string
  readonly caller: string
  readonly sql: string
  readonly params: readonly (string | number)[]
  readonly isRight: (answer: Answer) => boolean
}

type Kind = (caller: string, number: number, cells: Cells) => Omit<Question, 'caller'>

const point =
  'select id, status, total_cents, freight, order_date, ship_city from main.orders where id = $1'

/** The cells of an order, as the answers of one kind of database have them. */
interface Cells {
  readonly point: (order: Order) => readonly unknown[]
  readonly whole: (order: Order) => readonly unknown[]
}

/** `timestamp` has no time zone, but on MariaDB and MySQL. */
function cellsOf(kind: DatabaseKind): Cells {
  const zone = kind === 'mariadb' || kind === 'mysql' ? '+00' : ''
  return {
    point: ({ id, status, totalCents, freight, orderDate, shipCity }) => [
      id,
      status,
      totalCents,
      freight,
      orderDate + zone,
      shipCity,
    ],
    whole: ({ id, owner, status, totalCents, freight, orderDate, shipCity, isGift }) => [
      id,
      owner,
      status,
      totalCents,
      freight,
      orderDate + zone,
      shipCity,
      isGift,
    ],
  }
}

const pageSize = 50

/** The n-th one, whatever n is. */
function nth<T>(list: readonly T[], n: number): T {
  return list[n % list.length] as T
}

function otherThan(caller: string, number: number): string {
  return nth(
    callers.filter((name) => name !== caller),
    number,
  )
}

function rowsAre(expected: readonly (readonly unknown[])[]): Question['isRight'] {
  const text = JSON.stringify(expected)
  return ({ status, rows }) => status === 200 && JSON.stringify(rows) === text
}

function refused(expected: number): Question['isRight'] {
  return ({ status, rows }) => status === expected && rows === undefined
}

function groupsOf(caller: string): readonly (readonly unknown[])[] {
  const groups = Map.groupBy(ordersOf(caller), ({ status }) => status)
  return [...groups]
    .map(([status, orders]) => [
      status,
      String(orders.length),
      String(orders.reduce((sum, { totalCents }) => sum + Number(totalCents), 0)),
    ])
    .toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1))
}

const kinds: readonly Kind[] = [
  (caller, number, cells) => {
    const order = nth(ordersOf(caller), number * 31)
    return {
      title: 'an own row',
      sql: point,
      params: [order.id],
      isRight: rowsAre([cells.point(order)]),
    }
  },
  (caller, number) => {
    const order = nth(ordersOf(otherThan(caller, number)), number * 17)
    return { title: "another's row", sql: point, params: [order.id], isRight: rowsAre([]) }
  },
  (caller, number, cells) => {
    const own = ordersOf(caller)
    const from = (number * 13) % (own.length - pageSize)
    return {
      title: 'a page',
      sql: `select * from main.orders where id > $1 order by id limit ${pageSize}`,
      params: [own[from]?.id ?? 0],
      isRight: rowsAre(own.slice(from + 1, from + 1 + pageSize).map(cells.whole)),
    }
  },
  (caller) => ({
    title: 'sums by group',
    sql: 'select status, count(*), sum(total_cents) from main.orders group by status order by status',
    params: [],
    isRight: rowsAre(groupsOf(caller)),
  }),
  (caller, number) => {
    const order = nth(ordersOf(caller), number * 7)
    return {
      title: 'a new statement',
      sql: `select id + ${number} as n, is_gift from main.orders where id = $1`,
      params: [order.id],
      isRight: rowsAre([[order.id + number, order.isGift]]),
    }
  },
  (caller, number) => ({
    title: insertTitle,
    sql: 'insert into main.notes (owner, body) values ($1, $2) returning owner, body, priority, is_pinned',
    params: [caller, `note ${number}`],
    isRight: rowsAre([[caller, `note ${number}`, 0, false]]),
  }),
  (caller, number) => ({
    title: "an insert in another's name",
    sql: 'insert into main.notes (owner, body) values ($1, $2)',
    params: [otherThan(caller, number), 'x'],
    isRight: refused(422),
  }),
  (_caller, number) => ({
    title: 'a column that is not there',
    sql: `select secret_${number % 10} from main.orders`,
    params: [],
    isRight: refused(400),
  }),
]

export const insertTitle = 'an insert'

/** Numbered questions, in which every caller asks everything. */
export function createQuestions(kind: DatabaseKind): (number: number) => Question {
  const cells = cellsOf(kind)
  return (number) => {
    const caller = nth(callers, Math.floor(number / kinds.length))
    return { caller, ...nth(kinds, number)(caller, number, cells) }
  }
}

/** What a caller sees of its notes at the end. */
export function countQuestion(caller: string, expected: number): Question {
  return {
    title: 'its notes at the end',
    caller,
    sql: 'select count(*) from main.notes',
    params: [],
    isRight: rowsAre([[String(expected)]]),
  }
}
