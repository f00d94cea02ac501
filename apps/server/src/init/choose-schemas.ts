/** @module Which schemas of a PostgreSQL database the connection shows. */
import type { FoundSchema } from '@engine/http'
import type { Ask } from './ask.ts'

export interface ChosenSchemas {
  /** undefined: `public`, which a connection shows anyway. */
  readonly chosen: readonly string[] | undefined
  /** Names those that were not chosen, where no one was asked. */
  readonly others?: string
}

/** `public, billing` of the command line. */
export function namesIn(text: string | undefined): readonly string[] | undefined {
  const names = text?.split(',').map((name) => name.trim())
  return names?.filter((name) => name !== '')
}

/** @param found those with tables, `public` first. */
export async function schemasOf(
  found: readonly FoundSchema[],
  ask: Pick<Ask, 'choose'> | undefined,
): Promise<ChosenSchemas> {
  const names = found.map(({ name }) => name)
  const [first, ...more] = found
  if (first === undefined) return { chosen: undefined }
  if (more.length === 0) return { chosen: choice([first.name]) }
  if (ask === undefined) {
    const listed = more.map((schema) => `${schema.name} (${tablesOf(schema)})`).join(', ')
    return {
      chosen: choice([first.name]),
      others: `Only tables of ${first.name}. Others are in ${listed}: --schema ${names.join(',')} takes them, too.`,
    }
  }
  const all = 'all'
  const chosen = await ask.choose('Which schemas of the database?', [
    { value: all, label: 'all of them', hint: names.join(', ') },
    ...found.map((schema) => ({
      value: `only ${schema.name}`,
      label: `only ${schema.name}`,
      hint: tablesOf(schema),
    })),
  ])
  return { chosen: choice(names.filter((name) => chosen === all || chosen === `only ${name}`)) }
}

function tablesOf({ tables }: FoundSchema): string {
  return `${tables} ${tables === 1 ? 'table' : 'tables'}`
}

function choice(names: readonly string[]): readonly string[] | undefined {
  return names.length === 1 && names[0] === 'public' ? undefined : names
}
