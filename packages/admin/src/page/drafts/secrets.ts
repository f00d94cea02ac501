/** @module What text may be a secret, as far as it shows: such text is not written to the storage of a browser. */

/** Names of columns and options whose values are secret. */
export const secretName: RegExp =
  /pass(?:word|phrase|wd)|secret|token|api_?key|credential|pepper|private_?key/i

/** Beginnings of API keys, tokens and private keys; a password in a URL. */
const secretStart =
  /\b(?:ek_|eyJ|sk[-_]|gh[a-z]_|xox[a-z]-|A[KS]IA)\w|-----BEGIN|:\/\/[^\s/@:]*:(?!\*{3}@)[^\s/@]+@/

/** Letters of both cases and digits, or many hexadecimal digits: most likely made at random. */
function looksRandom(word: string): boolean {
  if (/^[0-9a-f]{32,}$/i.test(word)) return true
  return word.length >= 20 && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word)
}

export function mayHoldSecret(text: string): boolean {
  return secretStart.test(text) || text.split(/[^\w+/=-]+/).some(looksRandom)
}

/** @param values texts by the names of columns or options. */
export function mayHoldSecrets(values: Readonly<Record<string, string | null>>): boolean {
  return Object.entries(values).some(
    ([name, text]) => text !== null && (secretName.test(name) || mayHoldSecret(text)),
  )
}
