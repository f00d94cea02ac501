/**
 * The program of a block: names that it uses and does not declare are imported from `./setup.ts`, where the setup of its page exports them.
 *
 * @param setup text of that file
 */
export function withSetup(code: string, setup: string): string {
  const exported = [...setup.matchAll(exports)].map(([, name = '']) => name)
  const needed = exported.filter((name) => uses(code, name) && !declares(code, name))
  const imports = needed.length === 0 ? '' : `import { ${needed.join(', ')} } from './setup.ts'\n`
  return `${imports}${code}export {}\n`
}

const exports = /^export (?:declare )?(?:const|function|async function) (\w+)/gm

function uses(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w.'])${name}\\b(?!:)`).test(code)
}

/** Whether the block declares the name or imports it. */
function declares(code: string, name: string): boolean {
  const declared = new RegExp(
    `^(?:export )?(?:const|let|(?:async )?function|class) ${name}\\b`,
    'm',
  )
  const imported = [...code.matchAll(/^import .*? from/gms)].some(([words]) => uses(words, name))
  return declared.test(code) || imported
}
