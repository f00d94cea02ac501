/** A section of the permission cookbook: tables, permissions on them, and tests of the permissions. */
export interface Recipe {
  readonly title: string
  /** SQL that makes the tables and some rows, on SQLite and on PostgreSQL. */
  readonly tables: string
  /** The property `permissions: { … }` of a configuration. */
  readonly permissions: string
  /** The properties `callers: { … }` and `tests: [ … ]` of a file of tests. */
  readonly tests: string
}

/**
 * The recipes of a Markdown text, in order. A section of the second level is a recipe if it has a block of `sql`.
 *
 * @throws {Error} when a recipe has other blocks of `sql` and `ts` than its tables, its permissions and its tests, in this order.
 */
export function findRecipes(markdown: string): readonly Recipe[] {
  const [, ...sections] = markdown.split(/^## /m)
  return sections.flatMap((section) => {
    const [title = ''] = section.split('\n')
    const blocks = [...section.matchAll(/^```(sql|ts)\n(.*?)^```$/gms)]
    if (!blocks.some(([, language]) => language === 'sql')) return []
    const kinds = blocks.map(([, language = '', text = '']) => kindOf(language, text))
    if (kinds.join() !== 'tables,permissions,tests') {
      throw new Error(`"${title}" has ${kinds.join(', ')} instead of tables, permissions, tests`)
    }
    const [tables = '', permissions = '', tests = ''] = blocks.map(([, , text = '']) => text)
    return [{ title, tables, permissions, tests }]
  })
}

function kindOf(language: string, text: string): string {
  if (language === 'sql') return 'tables'
  const [, property = 'another block'] = /^(permissions|callers): /.exec(text) ?? []
  return property === 'callers' ? 'tests' : property
}
