/** @module A column → the call that builds it in Drizzle, such that `pg-proxy` decodes the answers of `POST /data`. */
import type { ColumnType } from '../../columns/column-type.ts'
import { listedType, setMembers, textList } from '../../columns/listed-type.ts'
import type { Column } from '../../columns/table-list.ts'
import type { GenerateOptions } from '../../generate-options.ts'
import { literal } from '../../names/literal.ts'

export type DrizzleOptions = Pick<
  GenerateOptions,
  'connections' | 'drizzleVersion' | 'bigint' | 'dates'
>

/** Builders of drizzle-orm/pg-core that generated files use. */
export const builders = [
  'bigint',
  'boolean',
  'char',
  'cidr',
  'customType',
  'date',
  'doublePrecision',
  'inet',
  'integer',
  'interval',
  'json',
  'jsonb',
  'line',
  'macaddr',
  'macaddr8',
  'numeric',
  'pgSchema',
  'point',
  'primaryKey',
  'real',
  'smallint',
  'text',
  'time',
  'timestamp',
  'uuid',
  'varchar',
] as const

export type Builder = (typeof builders)[number]

interface BuilderCall {
  readonly builder: Builder | 'bytea'
  /** Content of the braces after the name: `length: 20`. */
  readonly config: readonly string[]
}

/** Builders that know the values of a column at run time, too. */
const textBuilders: ReadonlySet<BuilderCall['builder']> = new Set(['text', 'varchar', 'char'])

/** `integer('id').primaryKey()`; `uses` is called with every builder. */
export function columnBuilder(
  column: Column,
  options: DrizzleOptions,
  isWholeKey: boolean,
  uses: (name: BuilderCall['builder'] | 'sql') => void,
): string {
  const { builder, config } = builderCall(column.type, options)
  uses(builder)
  const union = listedType(column)
  const isEnum =
    textBuilders.has(builder) && union !== undefined && setMembers(column) === undefined
  const all = isEnum ? [...config, `enum: ${textList(column.enum ?? [])}`] : config
  const settings = all.length === 0 ? '' : `, { ${all.join(', ')} }`
  const calls = [`${builder}(${literal(column.name)}${settings})`]
  if (union !== undefined && !isEnum) calls.push(`$type<${union}>()`)
  if (column.type.isArray) calls.push('array()')
  if (isWholeKey) calls.push('primaryKey()')
  else if (!column.nullable) calls.push('notNull()')
  if (column.generated === true) {
    uses('sql')
    calls.push('generatedAlwaysAs(sql`generated`)')
  } else if (column.identity === 'always') calls.push('generatedAlwaysAsIdentity()')
  else if (column.identity === 'byDefault') calls.push('generatedByDefaultAsIdentity()')
  else if (column.hasDefault) {
    uses('sql')
    calls.push('default(sql`default`)')
  }
  return calls.join('.')
}

function builderCall(type: ColumnType, options: DrizzleOptions): BuilderCall {
  const { kind, name } = type
  switch (kind) {
    case 'boolean':
      return { builder: 'boolean', config: [] }
    case 'integer':
      return { builder: name === 'smallint' ? 'smallint' : 'integer', config: [] }
    case 'bigint':
      return { builder: 'bigint', config: [`mode: '${options.bigint ?? 'bigint'}'`] }
    case 'float':
      return { builder: name === 'real' ? 'real' : 'doublePrecision', config: [] }
    case 'decimal':
      return { builder: 'numeric', config: modifiers(type, ['precision', 'scale']) }
    case 'bytes':
      return { builder: 'bytea', config: [] }
    case 'json':
      return { builder: name === 'json' ? 'json' : 'jsonb', config: [] }
    case 'text':
      return textBuilder(type, options)
  }
}

/** Types whose texts Drizzle parses itself; it reads every other type as a text. */
function textBuilder(type: ColumnType, { dates }: DrizzleOptions): BuilderCall {
  const mode = dates === 'string' ? ["mode: 'string'"] : []
  const withTimezone = type.name.endsWith(' with time zone') ? ['withTimezone: true'] : []
  switch (type.name) {
    case 'timestamp without time zone':
    case 'timestamp with time zone':
      return {
        builder: 'timestamp',
        config: [...modifiers(type, ['precision']), ...withTimezone, ...mode],
      }
    case 'time without time zone':
    case 'time with time zone':
      return { builder: 'time', config: [...modifiers(type, ['precision']), ...withTimezone] }
    case 'character varying':
      return { builder: 'varchar', config: modifiers(type, ['length']) }
    case 'character':
      return { builder: 'char', config: modifiers(type, ['length']) }
    case 'cidr':
    case 'date':
    case 'inet':
    case 'interval':
    case 'line':
    case 'macaddr':
    case 'macaddr8':
    case 'point':
    case 'uuid':
      return { builder: type.name, config: [] }
    default:
      return { builder: 'text', config: [] }
  }
}

function modifiers(type: ColumnType, names: readonly string[]): readonly string[] {
  return names.flatMap((name, index) => {
    const value = type.modifiers[index]
    return value === undefined ? [] : [`${name}: ${value}`]
  })
}

/** Bytes are sent as `\x` and hexadecimal digits. */
export const byteaHelper = `/** Bytes, which travel as \`\\\\x\` and hexadecimal digits. */
const bytea = customType<{ data: Uint8Array; driverData: string }>({
  dataType: () => 'bytea',
  fromDriver: (text) =>
    Uint8Array.from(text.slice(2).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16)),
  toDriver: (bytes) =>
    \`\\\\x\${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}\`,
})`
