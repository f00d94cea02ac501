/**
 * The packages that a README installs: the words after its first `npm install`, without options.
 *
 * @returns undefined when it has none.
 */
export function findInstall(markdown: string): readonly string[] | undefined {
  const [, words] = /^npm install +([^\n#]+)/m.exec(markdown) ?? []
  return words?.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'))
}

/** Packages that a program imports, each once, without those of Node. */
export function findImports(code: string): readonly string[] {
  const specifiers = [...code.matchAll(/^(?:import|export) .*?from '([^'.][^']*)'/gms)]
  const names = specifiers
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
  return [...new Set(names)]
}
