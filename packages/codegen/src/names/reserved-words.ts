/** Words that cannot be the name of a `const` in a module, in strict mode. */
export const reservedWords: readonly string[] = (
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
  'false finally for function if implements import in instanceof interface let new null package private protected ' +
  'public return static super switch this throw true try typeof undefined NaN Infinity var void while with yield'
).split(' ')
