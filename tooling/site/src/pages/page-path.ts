/** The page that a Markdown file of the repository becomes; undefined for the README at the root, whose place is the home page. */
export function pagePath(source: string): string | undefined {
  if (source === 'README.md') return undefined
  const [, folder, rest = ''] = /^(?:(docs|packages|apps|tooling)\/)?(.+)\.md$/.exec(source) ?? []
  const name = rest.replace(/(?:^|\/)README$/, '')
  switch (folder) {
    case 'docs':
      return name === rest ? `${name}.md` : `${name}/index.md`
    case 'packages':
      return `packages/${name}.md`
    case 'apps':
      return name === 'server' ? 'packages/server.md' : `examples/${name}.md`
    case 'tooling':
      return name === '' ? 'tooling/index.md' : `tooling/${name}.md`
    default:
      return `${rest.toLowerCase()}.md`
  }
}
