/** @module The page of an example, as Vite builds it. */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/**
 * Builds the page of `apps/<name>` for the URL of one engine.
 *
 * @returns its files by path.
 */
export async function buildExample(
  name: string,
  engineUrl: string,
): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const built = await build({
    root: fileURLToPath(new URL(`../../../${name}`, import.meta.url)),
    define: { 'import.meta.env.VITE_ENGINE_URL': JSON.stringify(engineUrl) },
    build: { write: false, minify: false },
    logLevel: 'error',
  })
  if (!('output' in built)) throw new Error('the build gave no single output')
  return new Map(
    built.output.map((file) => [
      `/${file.fileName}`,
      file.type === 'chunk' ? file.code : file.source,
    ]),
  )
}
