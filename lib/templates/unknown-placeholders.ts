import { PLACEHOLDERS } from './fill-template'

/** What stands in braces like a placeholder and is none, each once: a slip of the pen that would go out as it stands. */
export function unknownPlaceholders(text: string): string[] {
  const known: readonly string[] = PLACEHOLDERS
  const found = [...text.matchAll(/\{([^{}\n]{1,40})\}/g)].map(([, name = '']) => name)
  return [...new Set(found)].filter((name) => !known.includes(name)).map((name) => `{${name}}`)
}
