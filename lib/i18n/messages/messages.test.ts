import { createTranslator } from 'next-intl'
import { describe, expect, it } from 'vitest'
import { en } from './en'
import { sv } from './sv'

const swedish = flatten(sv)
const english = flatten(en)

describe('the two languages', () => {
  it('have the same keys', () => {
    expect([...english.keys()]).toEqual([...swedish.keys()])
  })

  it.each([...swedish])('%s takes the same arguments in both', (key, text) => {
    expect(argumentsOf(english.get(key) ?? '')).toEqual(argumentsOf(text))
  })

  it.each([...swedish, ...english])('%s is a message that can be formatted', (_key, text) => {
    const values = Object.fromEntries(argumentsOf(text).map((name) => [name, 2]))
    const failures: unknown[] = []
    const t = createTranslator<{ text: string }>({
      locale: 'sv',
      messages: { text },
      onError: (error) => failures.push(error),
    })
    // Tags get their element from the component.
    t.rich('text', {
      ...values,
      ...Object.fromEntries(tagsOf(text).map((tag) => [tag, (chunks: unknown) => String(chunks)])),
    })
    expect(failures).toEqual([])
    expect(text.trim()).toBe(text)
  })
})

function flatten(messages: object, path: string[] = []): Map<string, string> {
  const entries = Object.entries(messages).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    const here = [...path, key]
    if (typeof value === 'string') return [[here.join('.'), value]]
    return typeof value === 'object' && value !== null ? [...flatten(value, here)] : []
  })
  return new Map(entries)
}

/** In ICU a brace opens an argument in a text, and a text (a branch) in an argument: so depth tells which. */
function argumentsOf(text: string): string[] {
  const names = new Set<string>()
  let depth = 0
  for (const [brace, name] of text.matchAll(/[{}]\s*(\w*)/g)) {
    if (brace.startsWith('}')) depth -= 1
    else if (depth++ % 2 === 0 && name) names.add(name)
  }
  return [...names].toSorted()
}

function tagsOf(text: string): string[] {
  return [...text.matchAll(/<(\w+)>/g)].flatMap(([, tag]) => (tag ? [tag] : []))
}
