import { expect, test } from 'vitest'
import { escapeHtml } from './escape-html.ts'

test('nothing of a text becomes markup, in elements or attributes', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  )
})
