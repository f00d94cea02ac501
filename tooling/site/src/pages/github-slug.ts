/**
 * The anchor of a heading as GitHub makes it, so that one link works on both. A second heading of the same name gets `-1`, which
 * the caller adds.
 *
 * @param heading without marks of Markdown
 */
export function githubSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}
