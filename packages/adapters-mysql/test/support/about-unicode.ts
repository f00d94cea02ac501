/**
 * Tests of the conformance suite with texts that some character sets lack: the rows contain other texts. The corpus has most of
 * these tests, too, and PostgreSQL has the same rows there.
 */
export const aboutUnicode: ReadonlySet<string> = new Set([
  'as text: columns of every type',
  'collation: astral after private use',
  'collation: char order',
  'collation: order by lower',
  'collation: samples by code point',
  'collation: texts by code point',
  'collation: texts descending',
  'ctes: two with a join',
  'identifiers: blanks, dots and quotes',
  'json-constructors: texts inside',
  'like: contains',
  'like: not like',
  'note "Straße \\\\ \' \\" 😀" can be stored and found again',
  'nulls: ascending puts nulls last',
  'nulls: descending puts nulls first',
  'nulls: null order of a position',
  'nulls: null order of a union',
  'regex: no match',
  'strings: concat skips nulls',
  'strings: concatenation with null',
  'strings: octet_length',
  'values of every type are stored and read as they are',
])
