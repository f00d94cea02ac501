import '../design/tokens.css'
import '../design/base.css'
import { createRoot } from 'react-dom/client'
import { ToastProvider } from '../components/toast.tsx'
import { startTheme } from '../design/theme.ts'
import { Gallery } from './gallery.tsx'

startTheme()
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <ToastProvider>
      <Gallery />
    </ToastProvider>,
  )
}
