import { forEachToken } from './tokens.ts'

/** The work that a statement would cause in the parser, computed from its text alone; all upper bounds. */
export interface TextShape {
  /** Nested brackets and CASE. */
  readonly nesting: number
  /**
   * Height of the syntax tree: on its longest path, every character of an operator, every prefix or postfix word,
   * join and set operation counts 1, every bracket 4 (a bracket can hold a whole SELECT).
   */
  readonly height: number
  /** Tokens that the parser would repeat: it writes the right side of `SET (a, b) = …` once per column. */
  readonly repeated: number
  /** Words, operators, literals ...: they determine the parser's time. */
  readonly tokens: number
}

const bracketHeight = 4

/** Postfix and prefix words that build one expression on another: `not not a`, `a is null is null`. */
const chainingWords: ReadonlySet<string> = new Set([
  'not',
  'is',
  'isnull',
  'notnull',
  'collate',
  'at',
  'operator',
  'between',
  'in',
  'like',
  'ilike',
  'similar',
  'escape',
  'overlaps',
])

/** Words that build one FROM item or query on another, whatever commas are between them. */
const stackingWords: ReadonlySet<string> = new Set(['join', 'union', 'intersect', 'except'])

/** Words that separate the parts of a CASE. */
const caseWords: ReadonlySet<string> = new Set(['when', 'then', 'else'])

/** The state of one bracket (or CASE, or the whole text) so far. */
interface Level {
  readonly isCase: boolean
  /** Operators since the last separator, plus the height of the highest bracket among them. */
  chain: number
  inner: number
  /** The height of the highest part before the last separator. */
  highest: number
  stacked: number
  /** BETWEENs whose AND is still to come. */
  betweens: number
  /** Tokens of earlier list items; of this item; how often the parser repeats this item; items so far. */
  size: number
  itemSize: number
  repeats: number
  items: number
}

/** Measures the text without parsing it: the parser's stack is finite, so this check must come first. */
export function textShape(sql: string): TextShape {
  const outermost = newLevel(false)
  const levels = [outermost]
  let level = outermost
  let nesting = 0
  let tokens = 0
  let isAfterDot = false
  /** Items of the bracket that the previous token closed. */
  let closedItems = 0

  const open = (isCase: boolean) => {
    level = newLevel(isCase)
    levels.push(level)
    nesting = Math.max(nesting, levels.length - 1)
  }
  const close = () => {
    if (levels.length === 1) return
    levels.pop()
    const closed = level
    level = levels.at(-1) ?? outermost
    endItem(closed)
    level.inner = Math.max(level.inner, bracketHeight + closed.stacked + closed.highest)
    level.itemSize += closed.size
    closedItems = closed.items
  }

  forEachToken(sql, (kind, start, end) => {
    const openedItems = closedItems
    closedItems = 0
    tokens += 1
    level.itemSize += 1
    switch (kind) {
      case 'open':
        open(false)
        break
      case 'close':
        while (level.isCase) close()
        close()
        break
      case 'comma':
      case 'semicolon':
        endItem(level)
        break
      case 'operator':
        level.chain += 1
        if (openedItems > 1 && sql.charAt(start) === '=') level.repeats *= openedItems
        break
      case 'word': {
        const word = isAfterDot ? '' : sql.slice(start, end).toLowerCase()
        if (word === 'case') open(true)
        else if (word !== 'end') countWord(level, word)
        else if (level.isCase) close()
        break
      }
      case 'value':
        break
    }
    isAfterDot = kind === 'value' && sql.charAt(start) === '.'
  })

  while (levels.length > 1) close()
  endItem(level)
  return {
    nesting,
    height: level.stacked + level.highest,
    repeated: level.size - tokens,
    tokens,
  }
}

function newLevel(isCase: boolean): Level {
  return {
    isCase,
    chain: 0,
    inner: 0,
    highest: 0,
    stacked: 0,
    betweens: 0,
    size: 0,
    itemSize: 0,
    repeats: 1,
    items: 0,
  }
}

function countWord(level: Level, word: string): void {
  if (chainingWords.has(word)) level.chain += 1
  if (stackingWords.has(word)) level.stacked += 1
  if (word === 'between') level.betweens += 1
  else if (word === 'and' && level.betweens > 0) {
    level.betweens -= 1
    level.chain += 1
  } else if (word === 'and' || word === 'or' || (level.isCase && caseWords.has(word))) {
    endOperand(level)
  }
}

/** The parser makes flat lists of AND and OR: their operands are siblings. */
function endOperand(level: Level): void {
  level.highest = Math.max(level.highest, level.chain + level.inner)
  level.chain = 0
  level.inner = 0
}

function endItem(level: Level): void {
  endOperand(level)
  level.betweens = 0
  level.size += level.itemSize * level.repeats
  level.itemSize = 0
  level.repeats = 1
  level.items += 1
}
