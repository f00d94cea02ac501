import '../design/tokens.css'
import '../design/base.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { createRoot } from 'react-dom/client'
import { ToastProvider } from '../components/toast.tsx'
import { startTheme } from '../design/theme.ts'
import { Gallery } from './gallery.tsx'

startTheme()
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <CSPProvider disableStyleElements>
      <Tooltip.Provider>
        <ToastProvider>
          <Gallery />
        </ToastProvider>
      </Tooltip.Provider>
    </CSPProvider>,
  )
}
