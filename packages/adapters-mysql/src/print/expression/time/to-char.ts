/** @module to_char of timestamps, for patterns with one meaning. */
import { joinSql, type Sql, sql } from '@engine/core/print'
import { constantText } from '../../constant-text.ts'
import { refuse } from '../../print-context.ts'

/** One piece of a template: a pattern by name, or literal text. */
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly name: string; readonly isBare: boolean }

/** Longest first, so that HH24 is not read as HH. Case matters only for names. */
const patterns: readonly string[] = [
  ...['HH24', 'HH12', 'YYYY', 'IYYY', 'MONTH', 'Month', 'month', 'DAY', 'Day', 'day'],
  ...['MON', 'Mon', 'mon', 'DDD', 'DY', 'Dy', 'dy', 'YYY', 'HH', 'MI', 'SS', 'MS', 'US', 'YY'],
  ...['MM', 'DD', 'ID', 'IW', 'WW', 'CC', 'AM', 'PM', 'am', 'pm', 'D', 'Q', 'W'],
]

const names: ReadonlySet<string> = new Set([
  ...['MONTH', 'Month', 'month', 'DAY', 'Day', 'day', 'MON', 'Mon', 'mon', 'DY', 'Dy', 'dy'],
  ...['AM', 'PM', 'am', 'pm'],
])

/** `value` is a DATETIME and short. */
export function momentText(value: Sql, template: string, position: number | undefined): Sql {
  const parts = tokensOf(template, position).map((token) =>
    token.kind === 'text' ? constantText(token.text) : spelling(token.name, token.isBare, value),
  )
  return sql`concat(${joinSql([sql`left(${value}, 0)`, ...parts], ', ')})`
}

function tokensOf(template: string, position: number | undefined): readonly Token[] {
  const tokens: Token[] = []
  let rest = template
  const unsupported = () => refuse('a template like this', position)
  while (rest !== '') {
    if (rest.startsWith('"')) {
      const end = rest.indexOf('"', 1)
      if (end < 0 || rest.slice(0, end).includes('\\')) return unsupported()
      tokens.push({ kind: 'text', text: rest.slice(1, end) })
      rest = rest.slice(end + 1)
      continue
    }
    const isBare = /^FM/i.test(rest)
    const body = isBare ? rest.slice(2) : rest
    const name = patterns.find((pattern) =>
      names.has(pattern)
        ? body.startsWith(pattern)
        : body.slice(0, pattern.length).toUpperCase() === pattern,
    )
    if (name !== undefined) {
      tokens.push({ kind: 'pattern', name, isBare })
      rest = body.slice(name.length)
      if (/^TH/i.test(rest)) return unsupported()
    } else if (isBare || /^[\p{L}\p{N}\\]/u.test(rest)) {
      return unsupported()
    } else {
      const [character = ''] = rest
      tokens.push({ kind: 'text', text: character })
      rest = rest.slice(character.length)
    }
  }
  return tokens
}

function spelling(name: string, isBare: boolean, value: Sql): Sql {
  const number = (of: Sql, width: Sql) =>
    isBare ? sql`cast(${of} as char)` : sql`lpad(${of}, ${width}, '0')`
  const padded = (text: Sql) => (isBare ? text : sql`rpad(${text}, 9, ' ')`)
  const month = sql`elt(month(${value}), 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December')`
  const day = sql`elt(dayofweek(${value}), 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday')`
  switch (name) {
    case 'YYYY':
      return number(sql`year(${value})`, sql`4`)
    case 'YYY':
      return number(sql`(year(${value}) % 1000)`, sql`3`)
    case 'YY':
      return number(sql`(year(${value}) % 100)`, sql`2`)
    case 'IYYY':
      return number(sql`(yearweek(${value}, 3) div 100)`, sql`4`)
    case 'IW':
      return number(sql`week(${value}, 3)`, sql`2`)
    case 'ID':
      return sql`(weekday(${value}) + 1)`
    case 'WW':
      return number(sql`((dayofyear(${value}) - 1) div 7 + 1)`, sql`2`)
    case 'W':
      return sql`((dayofmonth(${value}) - 1) div 7 + 1)`
    case 'CC':
      return number(sql`((year(${value}) + 99) div 100)`, sql`2`)
    case 'Q':
      return sql`quarter(${value})`
    case 'MM':
      return number(sql`month(${value})`, sql`2`)
    case 'DD':
      return number(sql`dayofmonth(${value})`, sql`2`)
    case 'DDD':
      return number(sql`dayofyear(${value})`, sql`3`)
    case 'D':
      return sql`dayofweek(${value})`
    case 'HH24':
      return number(sql`hour(${value})`, sql`2`)
    case 'HH':
    case 'HH12':
      return number(sql`((hour(${value}) + 11) % 12 + 1)`, sql`2`)
    case 'MI':
      return number(sql`minute(${value})`, sql`2`)
    case 'SS':
      return number(sql`second(${value})`, sql`2`)
    case 'MS':
      return sql`lpad(microsecond(${value}) div 1000, 3, '0')`
    case 'US':
      return sql`lpad(microsecond(${value}), 6, '0')`
    case 'AM':
    case 'PM':
      return sql`if(hour(${value}) < 12, 'AM', 'PM')`
    case 'am':
    case 'pm':
      return sql`if(hour(${value}) < 12, 'am', 'pm')`
    case 'Month':
      return padded(month)
    case 'MONTH':
      return padded(sql`upper(${month})`)
    case 'month':
      return padded(sql`lower(${month})`)
    case 'Mon':
      return sql`left(${month}, 3)`
    case 'MON':
      return sql`upper(left(${month}, 3))`
    case 'mon':
      return sql`lower(left(${month}, 3))`
    case 'Day':
      return padded(day)
    case 'DAY':
      return padded(sql`upper(${day})`)
    case 'day':
      return padded(sql`lower(${day})`)
    case 'Dy':
      return sql`left(${day}, 3)`
    case 'DY':
      return sql`upper(left(${day}, 3))`
    case 'dy':
      return sql`lower(left(${day}, 3))`
    default:
      return refuse('a template like this', undefined)
  }
}
