declare const brand: unique symbol

/** `Base`, marked as checked: only the function that checks it may make one. */
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }
