/** @module Relations as text: `relations` of drizzle-orm 0.45, `defineRelations` of 1.0. */
import { literal } from '../../names/literal.ts'
import type { NameSpace } from '../../names/name-space.ts'
import type { Link } from './links.ts'
import type { NamedColumn, NamedTable } from './named-tables.ts'

type Links = ReadonlyMap<NamedTable, readonly Link[]>

/** One block for each table with relations. Drizzle 0.45 supports junctions only through the junction's own rows. */
export function relationsV0(links: Links, names: NameSpace): readonly string[] {
  return [...links].flatMap(([table, all]) => {
    const shown = all.filter(({ kind }) => kind !== 'through')
    if (shown.length === 0) return []
    const isMany = ({ kind }: Link) => kind === 'many'
    const helpers = [
      ...(shown.every(isMany) ? [] : ['one']),
      ...(shown.some(isMany) ? ['many'] : []),
    ]
    const constant = names.take(`${table.constant}Relations`)
    return [
      [
        `export const ${constant} = relations(${table.constant}, ({ ${helpers.join(', ')} }) => ({`,
        ...shown.map((link) => `  ${link.key}: ${callV0(table, link)},`),
        '}))',
      ].join('\n'),
    ]
  })
}

/** Drizzle 0.45 finds the columns of such a relation on its other side, unless the relation has a name. */
export function needsCast({ kind, pairName }: Link): boolean {
  return kind === 'one' && pairName !== undefined
}

function callV0(table: NamedTable, link: Link): string {
  const { kind, target, from, to, pairName } = link
  const columns = (of: NamedTable, list: readonly NamedColumn[], end = '') =>
    `[${list.map(({ key }) => `${of.constant}.${key}${end}`).join(', ')}]`
  // Drizzle expects a row when the key is never NULL: here the row may be missing.
  const cast = needsCast(link) ? ` as AnyPgColumn<{ tableName: ${literal(table.name)} }>` : ''
  const config = [
    ...(kind === 'owner' || needsCast(link)
      ? [`fields: ${columns(table, from, cast)}`, `references: ${columns(target, to)}`]
      : []),
    ...(pairName === undefined ? [] : [`relationName: ${literal(pairName)}`]),
  ]
  const end = config.length === 0 ? '' : `, { ${config.join(', ')} }`
  return `${kind === 'many' ? 'many' : 'one'}(${target.constant}${end})`
}

/** All relations in one call; undefined where there are no tables. */
export function relationsV1(links: Links): string | undefined {
  if (links.size === 0) return undefined
  const tables = [...links.keys()].map(({ constant }) => constant)
  const blocks = [...links].flatMap(([table, all]) =>
    all.length === 0
      ? []
      : [
          `  ${table.constant}: {`,
          ...all.map((link) => `    ${link.key}: ${callV1(table, link)},`),
          '  },',
        ],
  )
  const parameter = blocks.length === 0 ? '' : 'r'
  return [
    `export const relations = defineRelations({ ${tables.join(', ')} }, (${parameter}) => ({`,
    ...blocks,
    '}))',
  ].join('\n')
}

function callV1(table: NamedTable, { kind, target, from, to, junction }: Link): string {
  const end = (
    of: NamedTable,
    columns: readonly NamedColumn[],
    towards: readonly NamedColumn[],
  ) => {
    const texts = columns.map(({ key }, index) => {
      const column = `r.${of.constant}.${key}`
      const between = towards[index]
      return junction === undefined || between === undefined
        ? column
        : `${column}.through(r.${junction.table.constant}.${between.key})`
    })
    return texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`
  }
  // A row exists when the columns that refer to it are never NULL.
  const isSure = kind === 'owner' && from.every(({ nullable }) => !nullable)
  const config = [
    `from: ${end(table, from, junction?.from ?? [])}`,
    `to: ${end(target, to, junction?.to ?? [])}`,
    ...(isSure ? ['optional: false'] : []),
  ]
  const helper = kind === 'owner' || kind === 'one' ? 'one' : 'many'
  return `r.${helper}.${target.constant}({ ${config.join(', ')} })`
}
