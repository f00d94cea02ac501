/**
 * Characters that change how the text around them is shown, or that cannot be seen: controls, marks of the writing
 * direction, spaces without width, and halves of surrogate pairs.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Writes invisible characters as `\u202e`, so that a value cannot pass for another one. */
export function visibleText(text: string): string {
  return text.replaceAll(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** On one line, and at most `length` characters. */
export function shortText(text: string, length = 200): string {
  const cut = text.length > length ? `${text.slice(0, length)}…` : text
  return visibleText(cut).replaceAll(/\s+/g, ' ')
}
