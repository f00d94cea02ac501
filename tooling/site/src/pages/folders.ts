import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// VitePress bundles its configuration, and keeps `import.meta.url` of each file.
const here = fileURLToPath(new URL('../..', import.meta.url))

/** Where VitePress finds its configuration. */
export const siteRoot: string = here
/** All pages, as they are written before a build. */
export const pagesFolder: string = join(here, 'dist', 'pages')
/** The site. */
export const siteFolder: string = join(here, 'dist', 'site')
