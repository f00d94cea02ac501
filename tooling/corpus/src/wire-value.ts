import type { JsonValue } from './case.ts'

/** For each array type's OID the OID of its elements, as pg_type has it. */
export type ElementTypes = ReadonlyMap<number, number>

/**
 * Turns the text that PostgreSQL sends for a value into the JSON value that a client of the data
 * route receives for it: booleans, int2, int4 and floats as such, int8 and numeric as digits, json
 * parsed, arrays element by element, everything else as PostgreSQL's text.
 */
export function wireValue(text: string | null, oid: number, elementTypes: ElementTypes): JsonValue {
  if (text === null) return null
  switch (oid) {
    case 16:
      return text === 't'
    case 21:
    case 23:
      return Number(text)
    case 700:
    case 701:
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 114:
    case 3802:
      return JSON.parse(text) as JsonValue
    default: {
      const element = elementTypes.get(oid)
      return element === undefined ? text : arrayValue(text, element, elementTypes)
    }
  }
}

type Item = string | null | readonly Item[]

function arrayValue(text: string, element: number, elementTypes: ElementTypes): JsonValue {
  const withValues = (item: Item): JsonValue =>
    item === null || typeof item === 'string'
      ? wireValue(item, element, elementTypes)
      : item.map(withValues)
  return withValues(parseArray(text))
}

/** Reads `{a,"b c",NULL,{…}}`; a leading `[1:2]=` is skipped. */
function parseArray(text: string): Item {
  let at = text.indexOf('{')

  function list(): Item {
    const items: Item[] = []
    at += 1
    while (text[at] !== '}') {
      items.push(text[at] === '{' ? list() : text[at] === '"' ? quoted() : bare())
      if (text[at] === ',') at += 1
    }
    at += 1
    return items
  }

  function quoted(): string {
    let value = ''
    at += 1
    while (text[at] !== '"') {
      if (text[at] === '\\') at += 1
      value += text[at]
      at += 1
    }
    at += 1
    return value
  }

  function bare(): string | null {
    const end = text.slice(at).search(/[,}]/) + at
    const value = text.slice(at, end)
    at = end
    return value === 'NULL' ? null : value
  }

  return list()
}
