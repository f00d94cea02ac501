declare module '*.css'
declare module 'virtual:admin-tokens.css'
declare module '@fontsource-variable/inter'
declare module '@fontsource-variable/jetbrains-mono'
declare module 'virtual:pages/*.md' {
  import type { Component } from 'vue'

  const page: Component
  export default page
}
