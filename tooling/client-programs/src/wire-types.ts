import pg from 'pg'

type Parse = (text: string) => unknown

const oid = pg.types.builtins

/** `text[]`; its parser splits the items of any array. */
const textArray = 1009 as typeof oid.TEXT

const asItStands: Parse = (text) => text
const asBoolean: Parse = (text) => text === 't'
const asInteger: Parse = (text) => Number(text)
const asJson: Parse = (text) => JSON.parse(text)
/** JSON has no NaN and no infinities: they stay text. */
const asFloat: Parse = (text) => (Number.isFinite(Number(text)) ? Number(text) : text)

const scalars: readonly (readonly [oid: number, arrayOid: number, parse: Parse])[] = [
  [oid.BOOL, 1000, asBoolean],
  [oid.INT2, 1005, asInteger],
  [oid.INT4, 1007, asInteger],
  [oid.INT8, 1016, asItStands],
  [oid.NUMERIC, 1231, asItStands],
  [oid.FLOAT4, 1021, asFloat],
  [oid.FLOAT8, 1022, asFloat],
  [oid.TEXT, 1009, asItStands],
  [oid.VARCHAR, 1015, asItStands],
  [oid.BPCHAR, 1014, asItStands],
  [oid.UUID, 2951, asItStands],
  [oid.DATE, 1182, asItStands],
  [oid.TIME, 1183, asItStands],
  [oid.TIMETZ, 1270, asItStands],
  [oid.TIMESTAMP, 1115, asItStands],
  [oid.TIMESTAMPTZ, 1185, asItStands],
  [oid.INTERVAL, 1187, asItStands],
  [oid.BYTEA, 1001, asItStands],
  [oid.JSON, 199, asJson],
  [oid.JSONB, 3807, asJson],
]

const parsers: ReadonlyMap<number, Parse> = new Map(
  scalars.flatMap(([scalar, array, parse]): [number, Parse][] => [
    [scalar, parse],
    [array, arrayOf(parse)],
  ]),
)

/**
 * Makes node-postgres return the gateway's wire values, so that the two sides of a comparison differ only where the
 * gateway is wrong: dates and unknown types as PostgreSQL's text, int8 and numeric as digits, bytea as `\x…`, json
 * parsed, arrays as arrays of these.
 */
export const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: (typeOid: number) =>
    parsers.get(typeOid) ?? (typeOid < firstOwnOid ? asItStands : ownType),
}

/**
 * Types that a database defines, enums for example, have OIDs from here on; only the text of their arrays begins with a
 * brace.
 */
const firstOwnOid = 16_384

const ownArray = arrayOf(asItStands)

const ownType: Parse = (text) => (text.startsWith('{') ? ownArray(text) : text)

function arrayOf(parse: Parse): Parse {
  const parseTexts: Parse = pg.types.getTypeParser(textArray)
  return (text) => each(parseTexts(text), parse)
}

function each(value: unknown, parse: Parse): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, parse))
  return typeof value === 'string' ? parse(value) : value
}
