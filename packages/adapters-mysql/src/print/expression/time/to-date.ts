/** @module to_date and to_timestamp of texts, for templates that fix the position of every digit. */

import { joinSql, keyword, type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { constantText } from '../../constant-text.ts'
import { nullSql, type PrintContext, print, refuse } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'

/** The digits that each pattern reads; only texts with exactly these digits have one meaning. */
const widths: Readonly<Record<string, number>> = {
  YYYY: 4,
  MM: 2,
  DD: 2,
  HH24: 2,
  MI: 2,
  SS: 2,
  MS: 3,
  US: 6,
}

interface Field {
  /** Position, from 1. */
  readonly start: number
  readonly width: number
}

interface Template {
  /** A regular expression for the whole text. */
  readonly pattern: string
  readonly fields: ReadonlyMap<string, Field>
}

/** Undefined where the text could be read in several ways. */
function templateOf(text: string): Template | undefined {
  const fields = new Map<string, Field>()
  let [pattern, start, rest] = ['^', 1, text]
  while (rest !== '') {
    const name = /^(YYYY|HH24|MM|DD|MI|SS|MS|US)/i.exec(rest)?.[0]
    if (name === undefined) {
      const [character = ''] = rest
      if (!/[-/.:, T]/.test(character)) return undefined
      pattern += `[${character}]`
      rest = rest.slice(1)
      start += 1
      continue
    }
    const width = widths[name.toUpperCase()] ?? 0
    if (fields.has(name.toUpperCase())) return undefined
    fields.set(name.toUpperCase(), { start, width })
    pattern += `[0-9]{${width}}`
    rest = rest.slice(name.length)
    start += width
  }
  const isDated = fields.has('YYYY') && !(fields.has('MS') && fields.has('US'))
  return isDated ? { pattern: `${pattern}$`, fields } : undefined
}

/** As DATETIME(6). A text that does not match the template digit by digit is refused at run time. */
export function readMoment({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [subject, format] = args
  const template = subject === undefined ? undefined : constantTemplate(format)
  if (subject === undefined || template === undefined) {
    return refuse('a template like this', position)
  }
  const values = [{ value: print(subject, context), kind: 'text' }] as const
  return letValues(values, context, canBind(subject), (text = nullSql) => {
    const part = (name: string, otherwise: Sql): Sql => {
      const field = template.fields.get(name)
      return field === undefined
        ? otherwise
        : sql`substring(${text}, ${keyword(`${field.start}`)}, ${keyword(`${field.width}`)})`
    }
    const fraction = template.fields.has('MS')
      ? sql`concat(${part('MS', sql`''`)}, '000')`
      : part('US', sql`'000000'`)
    const parts = [
      part('YYYY', sql`'0001'`),
      sql`'-'`,
      part('MM', sql`'01'`),
      sql`'-'`,
      part('DD', sql`'01'`),
      sql`' '`,
      part('HH24', sql`'00'`),
      sql`':'`,
      part('MI', sql`'00'`),
      sql`':'`,
      part('SS', sql`'00'`),
      sql`'.'`,
      fraction,
    ]
    const moment = sql`cast(concat(${joinSql(parts, ', ')}) as datetime(6))`
    const wrong = sql`case when not ${text} regexp ${constantText(template.pattern)} or left(${part('YYYY', sql`''`)}, 4) = '0000' then ${raiseState('0A000')} when isnull(${moment}) and ${text} is not null then ${raiseState('22008')} end`
    // Its type is that of the timestamp: the other branch only fails.
    return sql`if(isnull(${wrong}), ${moment}, ${moment})`
  })
}

function constantTemplate(format: Expression | undefined): Template | undefined {
  const value = format?.kind === 'constant' ? format.value : undefined
  return typeof value === 'string' ? templateOf(value) : undefined
}
