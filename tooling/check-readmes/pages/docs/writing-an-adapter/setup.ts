/** The page has no code that needs one: its adapter is whole. */
export {}
