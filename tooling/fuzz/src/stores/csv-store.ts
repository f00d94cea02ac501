import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cell, type Row, rowsOf, type World } from '../world/world.ts'
import { type Contents, type Store, sortedRows } from './store.ts'

/** Writes a world into a directory, a file for each table. */
export function openCsvStore(
  directory: string,
  world: World,
  /** Restores rows as the engine's administrator: a file that changes outside of the engine is not noticed at once. */
  restore: () => Promise<void>,
): Store {
  for (const { name, columns } of world.tables) {
    const lines = [columns.map((column) => column.name), ...rowsOf(world, name)].map((row) =>
      row.map(written).join(','),
    )
    writeFileSync(join(directory, `${name}.csv`), `${lines.join('\n')}\n`)
  }
  return {
    contents: async (): Promise<Contents> =>
      new Map(
        world.tables.map(({ name }) => {
          const [, ...rows] = readCsv(readFileSync(join(directory, `${name}.csv`), 'utf8'))
          return [name, sortedRows(rows)]
        }),
      ),
    restore,
    close: async () => undefined,
  }
}

function written(cell: Cell): string {
  return cell === null ? '' : `"${cell.replaceAll('"', '""')}"`
}

/** Records of a text; an empty cell is NULL. */
function readCsv(text: string): readonly Row[] {
  const rows: Cell[][] = []
  let row: Cell[] = []
  for (const [, quoted, bare = '', end] of text.matchAll(cellPattern)) {
    const cell = quoted === undefined ? bare : quoted.replaceAll('""', '"')
    row.push(cell === '' ? null : cell)
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

const cellPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g
