import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './style.css'

const page = document.getElementById('page')
if (page !== null) createRoot(page).render(<App />)
