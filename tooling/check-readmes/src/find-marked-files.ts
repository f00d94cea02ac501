/** A complete file in a Markdown text. */
export interface MarkedFile {
  /** Its kind, from the mark: `host` or `file`. */
  readonly kind: 'host' | 'file'
  /** The text after the colon: a kind of host, the name of a file. */
  readonly name: string
  readonly code: string
}

const marked = /^<!-- (host|file): ([\w.-]+) -->\n```ts\n(.*?)^```$/gms

/** Blocks of TypeScript after `<!-- host: express -->` or `<!-- file: engine.config.ts -->`, in order. */
export function findMarkedFiles(markdown: string): readonly MarkedFile[] {
  return [...markdown.matchAll(marked)].map(([, kind, name = '', code = '']) => ({
    kind: kind === 'host' ? 'host' : 'file',
    name,
    code,
  }))
}
