/** @module Names in the SQL that the engine reads. */

/** `say "hi"` is `"say ""hi"""`. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
