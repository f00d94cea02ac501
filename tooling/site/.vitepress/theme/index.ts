import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import 'virtual:admin-tokens.css'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
