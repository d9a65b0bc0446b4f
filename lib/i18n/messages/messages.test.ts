import { createTranslator } from 'next-intl'
import { describe, expect, it, test } from 'vitest'
import * as en from './en'
import * as sv from './sv'

const swedish = flatten(sv)
const english = flatten(en)

describe('the two languages', () => {
  it('have the same keys, which take the same arguments', () => {
    const argumentsByKey = (messages: Map<string, string>) =>
      Array.from(messages, ([key, text]) => [key, ...argumentsOf(text)].join(' '))
    expect(argumentsByKey(english)).toEqual(argumentsByKey(swedish))
  })

  it('have messages that can be formatted', () => {
    const failures: string[] = []
    for (const [key, text] of [...swedish, ...english]) {
      const onError = (error: Error) => failures.push(`${key}: ${error.message}`)
      const t = createTranslator<{ text: string }>({ locale: 'sv', messages: { text }, onError })
      const values = argumentsOf(text).map((name) => [name, 2])
      // Tags get their element from the component.
      const tags = [...text.matchAll(/<(\w+)>/g)].map(([, tag]) => [tag, String])
      t.rich('text', Object.fromEntries([...values, ...tags]))
    }
    expect(failures).toEqual([])
  })
})

test('numbers have no style of their own: messages are compiled while building, which would leave it out', () => {
  expect(saying(/\{\s*\w+\s*,\s*(?:number|date|time)\s*,/)).toEqual([])
})

describe('the words', () => {
  it('are set as print is: no straight quotes, hyphens for dashes, three dots or stray spaces', () => {
    expect(saying(/["']| - |\.\.\.|\s{2}|[\n\t]|^\s|\s$/)).toEqual([])
    expect(saying(/“/, swedish), 'Swedish has ” on both sides').toEqual([])
    expect(saying(/\S …/, english), 'English has no space before an ellipsis').toEqual([])
  })

  it('have none of the machinery, but for administrators', () => {
    const machinery = saying(/\b(?:servern?|anrop|requests?|tokens?|snapshots?|api)\b/i)
    expect(machinery.filter(([key]) => !/^(?:admin\.|status\.budget)/.test(key))).toEqual([])
  })
})

function saying(words: RegExp, texts: Iterable<readonly [string, string]> = [...swedish, ...english]) {
  return [...texts].filter(([, text]) => words.test(text))
}

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
