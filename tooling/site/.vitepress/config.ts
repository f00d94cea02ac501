import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { pagesFolder, siteFolder } from '../src/pages/folders.ts'
import { githubSlug } from '../src/pages/github-slug.ts'
import { guides, internals, references } from '../src/pages/navigation.ts'
import { readSources, titleOf } from '../src/pages/read-sources.ts'
import { adminTokens } from './admin-tokens.ts'
import { withContentPolicy } from './content-policy.ts'

const packages = readSources()
  .filter(({ page }) => page.startsWith('packages/'))
  .map(({ page }) => page.replace(/\.md$/, ''))

export default defineConfig({
  title: 'Engine',
  description: 'SQL from anywhere, under one policy',
  lang: 'en-GB',
  srcDir: pagesFolder,
  outDir: siteFolder,
  cacheDir: join(siteFolder, '..', 'cache'),
  // A part of the home page, see theme/index.ts.
  srcExclude: ['home-example.md'],
  // What every page needs is in one file, and not a script in each page.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/mark.svg', type: 'image/svg+xml' }]],
  transformHtml: withContentPolicy,
  // The build fails for a link to a page that is not there; src/links looks at headings as well.
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify: githubSlug },
    theme: { light: 'github-light', dark: 'github-dark' },
  },
  vite: {
    plugins: [adminTokens()],
    resolve: { alias: { 'virtual:pages': pagesFolder } },
    // The compiler that VitePress comes with knows older targets only.
    esbuild: { tsconfigRaw: { compilerOptions: { target: 'es2022' } } },
    optimizeDeps: { esbuildOptions: { tsconfigRaw: { compilerOptions: { target: 'es2022' } } } },
    // The index of the search, and the reference for authors of adapters.
    build: { chunkSizeWarningLimit: 2_000, assetsInlineLimit: 0 },
  },
  // No functions in it: pages would have to evaluate their text, which the policy forbids.
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      {
        text: 'Guides',
        link: '/getting-started',
        activeMatch: '^/(?!reference|packages|decisions)',
      },
      { text: 'Reference', link: '/reference/options', activeMatch: '^/reference' },
      { text: 'Packages', link: '/packages/server', activeMatch: '^/packages' },
      { text: 'Inside', link: '/architecture', activeMatch: '^/(architecture|decisions)' },
    ],
    sidebar: {
      '/reference/': [
        { text: 'Reference', items: references.map(item) },
        { text: 'Exports', items: apiItems() },
      ],
      '/packages/': [{ text: 'Packages', items: packages.map(item) }, ...groups(guides, true)],
      '/decisions/': groups(internals),
      '/how-to/': groups(internals),
      '/tooling/': groups(internals),
      '/architecture': groups(internals),
      '/contributing': groups(internals),
      '/writing-an-adapter': groups(internals),
      '/': groups(guides),
    },
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
    notFound: { quote: 'There is no such page. The search knows the others.' },
  },
})

function groups(
  lists: Readonly<Record<string, readonly string[]>>,
  collapsed = false,
): DefaultTheme.SidebarItem[] {
  return Object.entries(lists).map(([text, pages]) => ({ text, collapsed, items: pages.map(item) }))
}

function item(page: string): DefaultTheme.SidebarItem {
  return { text: pageTitle(`${page}.md`), link: `/${page.replace(/(^|\/)index$/, '$1')}` }
}

/** The titles of generated pages are known when they have been written. */
function pageTitle(page: string): string {
  const path = join(pagesFolder, page)
  return existsSync(path) ? titleOf(readFileSync(path, 'utf8')) : page
}

function apiItems(): DefaultTheme.SidebarItem[] {
  return readApiPages().map((name) => {
    const page = item(`reference/api/${name}`)
    return { ...page, text: page.text?.replace('Exports of @engine/', '') ?? name }
  })
}

function readApiPages(): readonly string[] {
  const path = join(pagesFolder, 'reference', 'api', 'pages.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}
