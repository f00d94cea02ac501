export type Language = 'sql' | 'json' | 'plain'

export interface Token {
  readonly kind: 'plain' | 'keyword' | 'string' | 'number' | 'name' | 'comment'
  readonly text: string
}

const keywords = new Set(
  `select from where and or not in is null as on join left right inner outer full cross lateral order group by having
   limit offset insert into values update set delete returning with recursive union all distinct case when then else end
   exists between like ilike any some true false asc desc nulls first last cast default conflict do nothing using
   begin commit rollback merge matched for fetch over partition create table explain analyze`.split(
    /\s+/,
  ),
)

/** In the order in which they are tried. */
const sql =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*"|\$user\.[\w.]+)|(?<number>\b\d+(?:\.\d+)?\b|\$\d+)|(?<word>[a-zA-Z_]\w*)/g

const json =
  /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)|(?<word>\b(?:true|false|null)\b)/gi

/** Splits a text for colouring; the texts of all tokens together are the text. */
export function tokensOf(text: string, language: Language): readonly Token[] {
  if (language === 'plain') return [{ kind: 'plain', text }]
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(language === 'sql' ? sql : json)) {
    const kind = kindOf(match.groups ?? {}, language)
    if (kind === 'plain') continue
    if (match.index > end) tokens.push({ kind: 'plain', text: text.slice(end, match.index) })
    tokens.push({ kind, text: match[0] })
    end = match.index + match[0].length
  }
  if (end < text.length) tokens.push({ kind: 'plain', text: text.slice(end) })
  return tokens
}

function kindOf(
  groups: Readonly<Record<string, string | undefined>>,
  language: Language,
): Token['kind'] {
  if (groups['comment'] !== undefined) return 'comment'
  if (groups['string'] !== undefined) return 'string'
  if (groups['name'] !== undefined) return 'name'
  if (groups['number'] !== undefined) return 'number'
  const isKeyword = language === 'json' || keywords.has((groups['word'] ?? '').toLowerCase())
  return isKeyword ? 'keyword' : 'plain'
}
