/** @module Every way to make a world, or any JSON value, one step smaller. */
import { rowsOf, type World } from './world.ts'

/** Worlds without some rows, or without a table that no other refers to. */
export function* smallerWorlds(world: World): Generator<World> {
  for (const { name } of world.tables) {
    const isReferenced = world.tables.some((table) =>
      table.foreignKeys.some((key) => key.table === name),
    )
    if (!isReferenced) {
      yield { ...world, tables: world.tables.filter((table) => table.name !== name) }
    }
  }
  for (const { name } of world.tables) {
    const rows = rowsOf(world, name)
    for (let size = rows.length; size >= 1; size >>= 1) {
      for (let start = 0; start < rows.length; start += size) {
        const rest = [...rows.slice(0, start), ...rows.slice(start + size)]
        yield { ...world, rows: new Map([...world.rows, [name, rest]]) }
      }
    }
  }
}

/** The same value with one key of an object or one item of a list left out, the outer ones first. */
export function* smallerJson(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const i of value.keys()) yield value.toSpliced(i, 1)
    for (const [i, item] of value.entries()) {
      for (const smaller of smallerJson(item)) yield value.with(i, smaller)
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    for (const [key] of entries) yield Object.fromEntries(entries.filter(([each]) => each !== key))
    for (const [key, inner] of entries) {
      for (const smaller of smallerJson(inner)) yield { ...value, [key]: smaller }
    }
  }
}
