/** @module The chapter of PostgreSQL's documentation that something belongs to, by its types. */
import type { FunctionObject } from './read-objects.ts'

const groups: readonly (readonly [RegExp, string])[] = [
  [/^(?:xml|_xml)$/, 'XML'],
  [/range$/, 'Ranges'],
  [/^(?:point|line|lseg|box|path|polygon|circle)$/, 'Geometry'],
  [/^(?:inet|cidr|macaddr8?)$/, 'Network addresses'],
  [/^(?:tsvector|tsquery|regconfig|regdictionary|gtsvector)$/, 'Text search'],
  [/^(?:json|jsonb|jsonpath)$/, 'JSON'],
  [/^(?:date|time|timetz|timestamp|timestamptz|interval)$/, 'Date and time'],
  [/^(?:anyarray|anycompatiblearray|_.*|int2vector|oidvector)$/, 'Arrays'],
  [/^(?:anyenum|mood)$/, 'Enums'],
  [/^(?:bit|varbit)$/, 'Bit strings'],
  [/^(?:bytea)$/, 'Bytes'],
  [/^(?:uuid)$/, 'UUID'],
  [/^(?:money)$/, 'Money'],
  [/^(?:bool)$/, 'Logic and comparison'],
  [/^(?:text|varchar|bpchar|name|char|unknown)$/, 'Text'],
  [/^(?:int2|int4|int8|numeric|float4|float8)$/, 'Numbers'],
]

const otherChapter = "The server's own"

/** The first group that one of the types belongs to. */
export function chapterOfTypes(types: readonly string[]): string {
  for (const [pattern, chapter] of groups) {
    if (types.some((type) => pattern.test(type))) return chapter
  }
  return otherChapter
}

const server =
  /^(?:current_|session_user|inet_(?:client|server)|version|set_config|.*description|format_type|nextval|currval|lastval|setval|.*acl.*|row_security|getdatabase|query|.*to_xml|cursor_|database_|schema_|table_|mxid|col_|obj_|shobj_)/

/** Chapters of functions that make such a value of others. */
const decidingResults: ReadonlySet<string> = new Set([
  'Ranges',
  'Geometry',
  'Network addresses',
  'Text search',
  'Date and time',
])

export function chapterOfFunction(fn: FunctionObject): string {
  if (fn.kind === 'a') return 'Aggregates'
  if (fn.kind === 'w') return 'Window functions'
  if (server.test(fn.name) && !/^jsonb?_|^query_tree/.test(fn.name)) return otherChapter
  if (/^jsonb?_|^to_jsonb?$|^row_to_json$/.test(fn.name)) return 'JSON'
  const ofResult = chapterOfTypes([fn.result])
  if (decidingResults.has(ofResult)) return ofResult
  const chapter = chapterOfTypes(fn.arguments)
  if (chapter === otherChapter) return fn.arguments.length === 0 ? ofResult : otherChapterOf(fn)
  return chapter
}

function otherChapterOf(fn: FunctionObject): string {
  return fn.arguments.some((type) => type.startsWith('any')) ? 'Logic and comparison' : otherChapter
}
