/**
 * @module What a column is declared as in SQLite → the name of its PostgreSQL type. SQLite takes any words for a type; the
 * ones that other databases and their tools write are known here, and for the rest its own rules are followed.
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
  /** `[10, 2]` of DECIMAL(10,2), where they mean to PostgreSQL what they mean here. */
  readonly modifiers: readonly number[]
}

/** By the words of the declaration, in upper case, without what is in parentheses. */
const namesByWords: ReadonlyMap<string, DeclaredTypeName> = new Map<string, DeclaredTypeName>([
  ...words('bool', 'BOOLEAN', 'BOOL'),
  ...words('int2', 'SMALLINT', 'INT2', 'TINYINT'),
  ...words('int4', 'INTEGER', 'INT', 'INT4', 'MEDIUMINT', 'SERIAL'),
  ...words('int8', 'BIGINT', 'INT8', 'BIG INT', 'UNSIGNED BIG INT', 'BIGSERIAL'),
  ...words('float8', 'REAL', 'DOUBLE', 'DOUBLE PRECISION', 'FLOAT', 'FLOAT4', 'FLOAT8'),
  ...words('numeric', 'NUMERIC', 'DECIMAL', 'DEC', 'NUMBER', 'NUM', 'MONEY', 'CURRENCY'),
  // With the affinity of a text: no digit is lost, however many there are.
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

/** The type that clients see. A column without a declared type, or with words that nobody knows, is text. */
export function declaredType(declaration: string): DeclaredType {
  const { spelling, modifiers } = readDeclaration(declaration)
  const name = typeName(spelling, modifiers)
  return { name, modifiers: withModifiers.includes(name) ? modifiers : [] }
}

function typeName(spelling: string, modifiers: readonly number[]): DeclaredTypeName {
  // What tools write for a boolean that came from MySQL.
  if (spelling === 'TINYINT' && modifiers[0] === 1) return 'bool'
  if (spelling.endsWith('[]') || spelling.endsWith(' ARRAY')) return 'text'
  const name = namesByWords.get(spelling) ?? guessedName(spelling)
  // To PostgreSQL `char` alone is one character long, here it has any length.
  return name === 'bpchar' && modifiers.length === 0 ? 'text' : name
}

/** `DECIMAL (10, 2)` → DECIMAL, [10, 2]; words behind the parentheses belong to the spelling. */
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

/** For words that are not known: what SQLite's affinity says, except that it takes the unknown for numbers. */
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
