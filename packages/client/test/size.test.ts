/** The code that a browser has to load. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

/** Bytes of an entry point with all its imports, minified and gzipped. */
async function sizeOf(
  entry: string,
): Promise<{ readonly bytes: number; readonly imports: readonly string[] }> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(`../src/${entry}`, import.meta.url)),
    external: /^[^./]/,
    platform: 'browser',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const [chunk] = output
  return { bytes: gzipSync(chunk.code).length, imports: chunk.imports }
}

test.each([
  ['index.ts', 6_000, []],
  ['auth.ts', 6_000, []],
  ['drizzle.ts', 1_500, []],
  ['kysely.ts', 1_500, ['kysely']],
])('%s is below %i bytes and needs %j', async (entry, most, imports) => {
  const size = await sizeOf(entry)
  expect(size.imports).toEqual(imports)
  expect(size.bytes).toBeLessThan(most)
})
