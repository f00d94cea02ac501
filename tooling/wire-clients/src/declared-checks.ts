import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { DeclaredCheck, Need } from './wire-check.ts'

/** How each language declares the requirements of a check. */
const declarations: Readonly<Record<string, RegExp>> = {
  '.py': /^@check\("(?<name>[^"]+)"(?:, "(?<needs>\w+)")?\)$/gm,
  '.java': /^ +Checks\.check\("(?<name>[^"]+)", (?:"(?<needs>\w+)", )?/gm,
  '.pl': /^check\( "(?<name>[^"]+)", sub \{\n[\s\S]*?\n\}(?:, "(?<needs>\w+)")? \);$/gm,
}

/** The checks that the sources in a folder declare, in order, so that each is a test before the program runs. */
export function readDeclaredChecks(folder: string): readonly DeclaredCheck[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => declaredIn(readFileSync(join(folder, file), 'utf8'), extname(file)))
}

/** @param extension of the source file: `.py`, `.java` or `.pl`; others contain no declarations. */
export function declaredIn(source: string, extension: string): readonly DeclaredCheck[] {
  const declaration = declarations[extension]
  if (declaration === undefined) return []
  return [...source.matchAll(declaration)].map(({ groups }) => ({
    name: groups?.['name'] ?? '',
    needs: groups?.['needs'] as Need | undefined,
  }))
}
