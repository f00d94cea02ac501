/** @module The tokens, and every component in every state; for development. */
import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'
import { Select } from '../components/select.tsx'
import { setTheme, type Theme, useTheme } from '../design/theme.ts'
import { Buttons, Inputs } from './controls.tsx'
import { Overlays } from './overlays.tsx'
import { Tables } from './tables.tsx'
import { States, Texts, Values } from './texts.tsx'
import { Colours, Contrast, Measures, Motion, TypeScale } from './tokens.tsx'

export function Gallery(): ReactNode {
  const theme = useTheme()
  return (
    <main>
      <Page
        title="Design"
        lead="The tokens, and every component in every state."
        actions={
          <Select
            label="Theme"
            value={theme}
            onValue={(next) => setTheme(next as Theme)}
            choices={['system', 'light', 'dark'].map((value) => ({ value, label: value }))}
          />
        }
      >
        <TypeScale />
        <Colours key={`colours ${theme}`} />
        <Contrast key={`contrast ${theme}`} />
        <Measures />
        <Motion />
        <Buttons />
        <Inputs />
        <Overlays />
        <Tables />
        <Texts />
        <Values />
        <States />
      </Page>
    </main>
  )
}
