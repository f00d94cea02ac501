import './design/tokens.css'
import './design/base.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ToastProvider } from './components/toast.tsx'
import { startTheme } from './design/theme.ts'
import { App } from './shell/app.tsx'

startTheme()
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <Tooltip.Provider delay={350}>
          <ToastProvider>
            <App />
          </ToastProvider>
        </Tooltip.Provider>
      </CSPProvider>
    </StrictMode>,
  )
}
