/** @param link undefined where the pages are not built. @returns lines that are printed at the start. */
export function adminLinkLines(link: string | undefined): readonly string[] {
  if (link === undefined) return []
  return [
    "The administrator's pages, signed in (once, on this machine, within two minutes):",
    '',
    `  ${link}`,
    '',
  ]
}
