declare module '*.css'
declare module 'virtual:admin-tokens.css'
declare module '@fontsource-variable/inter'
declare module '@fontsource-variable/jetbrains-mono'
