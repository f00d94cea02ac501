/**
 * @module Numbers in documents of MySQL, which keeps integers of 64 bits and doubles only. A document with another number is refused
 * where the server would parse it. Of constants and parameters `held-json.ts` says that before they are sent.
 */
import { type Sql, sql } from '@engine/core/print'
import { nullSql, type PrintContext } from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { letValues } from '../binding/let-binding.ts'

const strings = sql`'"[^"\\\\\\\\]*+(?:\\\\\\\\.[^"\\\\\\\\]*+)*+"'`

/** Outside of strings: exponents, zeros at the end of a fraction, -0, and more digits than every double or integer keeps. */
const doubtful = sql`'[0-9][eE]|[.][0-9]+0(?![0-9])|-0(?![.]?0*[1-9])|[0-9]{19}|(?=[0-9.]{17})[0-9]+[.]'`

/** `document`; fails with 0A000 where the server would change one of its numbers. */
export function heldJson(document: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return letValues([{ value: document, kind: 'text' }], context, canBeNamed, (text = nullSql) => {
    const parsed = sql`cast(cast(${text} as json) as char)`
    // The server's own text, blanks aside: the numbers are the same.
    const isOwn = sql`replace(${text}, ' ', '') = replace(${parsed}, ' ', '')`
    const isDoubtful = sql`regexp_replace(${text}, ${strings}, '""') regexp ${doubtful}`
    return sql`case when isnull(${text}) or ${isOwn} then ${text} when ${isDoubtful} then ${raiseState('0A000')} else ${text} end`
  })
}

/** Numbers that PostgreSQL prints in another way: with an exponent, and -0.0. */
const strange = sql`'[0-9]e-?[0-9]|-0[.]0(?![0-9])'`

/** A held document as jsonb prints it, which is the server's own text; fails with 0A000 for numbers with an exponent. */
export function parsedText(document: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return ownText(document, context, canBeNamed, (text) => text)
}

function ownText(
  document: Sql,
  context: PrintContext,
  canBeNamed: boolean,
  shown: (text: Sql) => Sql,
): Sql {
  const value = sql`cast(cast(${document} as json) as char)`
  return letValues([{ value, kind: 'text' }], context, canBeNamed, (text = nullSql) => {
    const hasStrange = sql`${text} regexp ${strange} and regexp_replace(${text}, ${strings}, '""') regexp ${strange}`
    return sql`case when ${hasStrange} then ${raiseState('0A000')} else ${shown(text)} end`
  })
}

/** A string, or the zero after the point of a whole number. */
const wholes = sql`'("[^"\\\\\\\\]*+(?:\\\\\\\\.[^"\\\\\\\\]*+)*+")|(?<![.0-9])([0-9]+)[.]0(?![0-9])'`

/** The server's own text of a document, with `1.0` as `1`: the same for equal documents. */
export function comparableText(document: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  return ownText(
    document,
    context,
    canBeNamed,
    (text) =>
      sql`if(locate('.0', ${text}) = 0, ${text}, regexp_replace(${text}, ${wholes}, '$1$2'))`,
  )
}
