/**
 * @module Maps the declaration of a column in SQLite to the name of its PostgreSQL type. SQLite accepts any words as a type; the
 * words of other databases and their tools are listed here, and for all others SQLite's own rules apply.
 */
import type { Affinity } from './native-column.ts'

/** As in `oids`. */
export type DeclaredTypeName =
  | 'bool'
  | 'int2'
  | 'int4'
  | 'int8'
  | 'float8'
  | 'numeric'
  | 'text'
  | 'varchar'
  | 'bpchar'
  | 'uuid'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'bytea'
  | 'jsonb'

export interface DeclaredType {
  readonly name: DeclaredTypeName
  /** `[10, 2]` of DECIMAL(10,2), where they have the same meaning in PostgreSQL. */
  readonly modifiers: readonly number[]
}

/** By the words of the declaration, in upper case, without the parentheses. */
const namesByWords: ReadonlyMap<string, DeclaredTypeName> = new Map<string, DeclaredTypeName>([
  ...words('bool', 'BOOLEAN', 'BOOL'),
  ...words('int2', 'SMALLINT', 'INT2', 'TINYINT'),
  ...words('int4', 'INTEGER', 'INT', 'INT4', 'MEDIUMINT', 'SERIAL'),
  ...words('int8', 'BIGINT', 'INT8', 'BIG INT', 'UNSIGNED BIG INT', 'BIGSERIAL'),
  ...words('float8', 'REAL', 'DOUBLE', 'DOUBLE PRECISION', 'FLOAT', 'FLOAT4', 'FLOAT8'),
  ...words('numeric', 'NUMERIC', 'DECIMAL', 'DEC', 'NUMBER', 'NUM', 'MONEY', 'CURRENCY'),
  // With the affinity of text: no digit is lost, however many there are.
  ...words('numeric', 'DECIMAL TEXT', 'NUMERIC TEXT'),
  ...words('text', 'TEXT', 'CLOB', 'STRING', 'ANY', 'TINYTEXT', 'MEDIUMTEXT', 'LONGTEXT'),
  ...words('varchar', 'VARCHAR', 'CHARACTER VARYING', 'VARYING CHARACTER', 'NVARCHAR'),
  ...words('bpchar', 'CHAR', 'CHARACTER', 'NCHAR', 'NATIVE CHARACTER', 'BPCHAR'),
  ...words('uuid', 'UUID', 'GUID', 'UNIQUEIDENTIFIER'),
  ...words('date', 'DATE'),
  ...words('time', 'TIME', 'TIME WITHOUT TIME ZONE'),
  ...words('timestamp', 'TIMESTAMP', 'DATETIME', 'TIMESTAMP WITHOUT TIME ZONE'),
  ...words('timestamptz', 'TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'),
  ...words('bytea', 'BLOB', 'BYTEA', 'BINARY', 'VARBINARY', 'LONGBLOB', 'MEDIUMBLOB'),
  ...words('jsonb', 'JSON', 'JSONB'),
])

function words(
  name: DeclaredTypeName,
  ...spellings: readonly string[]
): readonly (readonly [string, DeclaredTypeName])[] {
  return spellings.map((spelling) => [spelling, name])
}

const withModifiers: readonly DeclaredTypeName[] = [
  'numeric',
  'varchar',
  'bpchar',
  'time',
  'timestamp',
  'timestamptz',
]

/** The type that clients see. A column without a declared type, or with unknown words in it, is text. */
export function declaredType(declaration: string): DeclaredType {
  const { spelling, modifiers } = readDeclaration(declaration)
  const name = typeName(spelling, modifiers)
  return { name, modifiers: withModifiers.includes(name) ? modifiers : [] }
}

function typeName(spelling: string, modifiers: readonly number[]): DeclaredTypeName {
  // The declaration that tools write for a boolean from MySQL.
  if (spelling === 'TINYINT' && modifiers[0] === 1) return 'bool'
  if (spelling.endsWith('[]') || spelling.endsWith(' ARRAY')) return 'text'
  const name = namesByWords.get(spelling) ?? guessedName(spelling)
  // In PostgreSQL `char` alone has one character, here it has any length.
  return name === 'bpchar' && modifiers.length === 0 ? 'text' : name
}

/** `DECIMAL (10, 2)` → DECIMAL, [10, 2]; words after the parentheses belong to the spelling. */
function readDeclaration(declaration: string): {
  readonly spelling: string
  readonly modifiers: readonly number[]
} {
  const parts = /^([^(]*)(?:\(([^)]*)\)(.*))?$/s.exec(declaration)
  const [, before = declaration, inside = '', after = ''] = parts ?? []
  const spelling = `${before} ${after}`.trim().replaceAll(/\s+/g, ' ').toUpperCase()
  const numbers = inside.split(',').map((part) => part.trim())
  const areIntegers = numbers.every((part) => /^\d{1,9}$/.test(part))
  return { spelling, modifiers: areIntegers ? numbers.map(Number) : [] }
}

/** For unknown words: SQLite's affinity, except that SQLite makes numbers of unknown types. */
function guessedName(spelling: string): DeclaredTypeName {
  if (/^(INTERVAL|POINT|POLYGON|LINESTRING)/.test(spelling)) return 'text'
  switch (affinityOf(spelling)) {
    case 'integer':
      return 'int8'
    case 'real':
      return 'float8'
    case 'blob':
      return spelling === '' ? 'text' : 'bytea'
    default:
      return 'text'
  }
}

/** @see https://www.sqlite.org/datatype3.html#determination_of_column_affinity */
export function affinityOf(declaration: string): Affinity {
  const spelling = declaration.toUpperCase()
  if (spelling.includes('INT')) return 'integer'
  if (/CHAR|CLOB|TEXT/.test(spelling)) return 'text'
  if (spelling === '' || spelling.includes('BLOB')) return 'blob'
  return /REAL|FLOA|DOUB/.test(spelling) ? 'real' : 'numeric'
}
