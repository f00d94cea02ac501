import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import 'virtual:admin-tokens.css'
import Example from 'virtual:pages/home-example.md'
import { type Theme, useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import './style.css'
import './home.css'

/** The file of the repository that a page is made from; nothing for a page that is made from code. */
function SourceLink() {
  const { source } = useData().frontmatter.value
  return source === undefined
    ? undefined
    : h('p', { class: 'source-link' }, h('a', { href: source }, 'This page in the repository'))
}

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () => h('div', { class: 'home-example vp-doc' }, h(Example)),
      'doc-footer-before': () => h(SourceLink),
    }),
}

export default theme
