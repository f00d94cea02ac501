/** @module The load time of a CSV file, compared with `.import` of the sqlite3 shell. */
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'

const rounds = 3

/** Prints the ratio of speeds, and the memory for a file with four times the size. */
export async function compareCsvLoad(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'engine-bench-csv-'))
  try {
    const million = join(home, 'million')
    const large = join(home, 'large')
    execFileSync('mkdir', [million, large])
    await writeRows(join(million, 'rows.csv'), 1_000_000)
    await writeRows(join(large, 'rows.csv'), 4_000_000)
    const ours: number[] = []
    const shell: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      ours.push(load(million).ms)
      const imported = importWithShell(join(million, 'rows.csv'), join(home, `${round}.db`))
      if (imported !== undefined) shell.push(imported)
    }
    const best = Math.min(...ours)
    print(`a million rows: ${best.toFixed(0)} ms`)
    if (shell.length === 0) print('no sqlite3 shell to compare with')
    else
      print(`speed against .import of the sqlite3 shell: ${(Math.min(...shell) / best).toFixed(2)}`)
    const small = load(million)
    const big = load(large)
    print(
      `memory at most: ${small.megabytes.toFixed(0)} MB, for four million rows ${big.megabytes.toFixed(0)} MB`,
    )
    print(`longest stall of the event loop meanwhile: ${big.longestStall.toFixed(0)} ms`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

interface Load {
  readonly ms: number
  readonly megabytes: number
  readonly longestStall: number
}

function load(directory: string): Load {
  const entry = fileURLToPath(new URL('./load-directory.ts', import.meta.url))
  const options = { encoding: 'utf8' } as const
  const args = ['--conditions=@engine/source', entry, directory]
  return JSON.parse(execFileSync(process.execPath, args, options)) as Load
}

/** Milliseconds; undefined where the shell is not installed. */
function importWithShell(file: string, database: string): number | undefined {
  const start = performance.now()
  const { status } = spawnSync('sqlite3', [database, '-cmd', '.mode csv', `.import ${file} rows`])
  rmSync(database, { force: true })
  return status === 0 ? performance.now() - start : undefined
}

async function writeRows(path: string, count: number): Promise<void> {
  const file = createWriteStream(path)
  file.write('id,name,amount,created,active,note\n')
  for (let start = 0; start < count; start += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, index) => rowText(start + index))
    if (!file.write(lines.join(''))) await once(file, 'drain')
  }
  file.end()
  await finished(file)
}

function rowText(index: number): string {
  const day = `2024-${two(1 + (index % 12))}-${two(1 + (index % 28))}`
  const amount = `${(index * 7919) % 1000}.${two(index % 100)}`
  const note = index % 10 === 0 ? `"say ""${index}"""` : ''
  return `${index + 1},name ${index % 1000},${amount},${day},${index % 3 === 0},${note}\n`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
