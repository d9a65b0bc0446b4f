import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SETTINGS } from '@/server/settings-schema'
import { apiDocument } from './api-document'

// npm run docs: writes what documents say of the code, where the code itself says it.

export const documents = { 'docs/settings.md': settingsDocument, 'docs/api.md': apiDocument }

/** The table has each setting in its order, with the comment that stands above it. */
function settingsDocument(text: string): string {
  const schema = readFileSync('server/settings-schema.ts', 'utf8')
  const sentences = new Map(
    [...schema.matchAll(/\/\*\* (.+) \*\/\n {2}([A-Z_]+): /g)].map(([, says, name]) => [name, says]),
  )
  const rows = SETTINGS.map(({ name, isSecret, fallback }) => {
    const names = isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``
    return `| ${names} | ${fallback && `\`${fallback}\``} | ${sentences.get(name) ?? ''} |`
  })
  return text.replace(/(^\| Variable .+\n\|[-|]+\n)(?:\|.+\n)+/m, (_, head: string) => `${head}${rows.join('\n')}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, written] of Object.entries(documents)) writeFileSync(path, written(readFileSync(path, 'utf8')))
}
