/** @module Names of character sets, as clients write them. */

/** PostgreSQL's names of the encodings that clients may use there; those of one byte a character come first. */
const names =
  'ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 KOI8R KOI8U LATIN1 LATIN2 LATIN3 LATIN4 LATIN5 LATIN6 LATIN7 LATIN8 LATIN9 LATIN10 ' +
  'WIN866 WIN874 WIN1250 WIN1251 WIN1252 WIN1253 WIN1254 WIN1255 WIN1256 WIN1257 WIN1258 SQL_ASCII UTF8 ' +
  'BIG5 EUC_CN EUC_JIS_2004 EUC_JP EUC_KR EUC_TW GB18030 GBK JOHAB MULE_INTERNAL SHIFT_JIS_2004 SJIS UHC'

/** Other words for them; parts of ISO 8859 and code pages of Windows follow a rule. */
const synonyms: Readonly<Record<string, string>> = {
  abc: 'WIN1258',
  alt: 'WIN866',
  koi8: 'KOI8R',
  mskanji: 'SJIS',
  shiftjis: 'SJIS',
  tcvn: 'WIN1258',
  tcvn5712: 'WIN1258',
  unicode: 'UTF8',
  vscii: 'WIN1258',
  win: 'WIN1251',
}

/** Part of ISO 8859 → the number that PostgreSQL's name has. */
const latinOfPart: Readonly<Record<string, number>> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  9: 5,
  10: 6,
  13: 7,
  14: 8,
  15: 9,
  16: 10,
}

/** Code page of Windows → an encoding with another name. */
const nameOfPage: Readonly<Record<string, string>> = {
  932: 'SJIS',
  936: 'GBK',
  949: 'UHC',
  950: 'BIG5',
}

const byWord: ReadonlyMap<string, string> = new Map([
  ...names.split(' ').map((name) => [wordOf(name), name] as const),
  ...Object.entries(synonyms),
  ...Object.entries(latinOfPart).map(
    ([part, latin]) => [`iso8859${part}`, `LATIN${latin}`] as const,
  ),
  ...['win', 'windows'].flatMap((prefix) =>
    Object.entries(nameOfPage).map(([page, name]) => [`${prefix}${page}`, name] as const),
  ),
  ...names
    .split(' ')
    .filter((name) => name.startsWith('WIN'))
    .map((name) => [`windows${name.slice(3)}`, name] as const),
])

/** `iso-8859-15` → `LATIN9`; undefined for a word that PostgreSQL does not know either. */
export function encodingName(word: string): string | undefined {
  return byWord.get(wordOf(word))
}

/** Only letters and digits count. */
function wordOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
