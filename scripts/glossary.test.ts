import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as en from '@/lib/i18n/messages/en'
import * as sv from '@/lib/i18n/messages/sv'

test.each([
  [
    'sv',
    sv,
    /undanlagt|lägg(?:a|er|s)? undan|lade undan|återkom(?!st)|uppföljning|pågående|börjat med dem|\barbetet\b|mejlprogram|sparas inte i Intag|visade igen/i,
  ],
  [
    'en',
    en,
    /put aside|com(?:e|es|ing) back later|(?<!log )follow-up|follow up today|nobody has begun|last here|the work\b|\bmail program|text is not saved/i,
  ],
] as const)(
  'the screens use the handbook’s fourteen words, and none that they replaced (%s)',
  (language, words, replaced) => {
    const handbook = readFileSync(`docs/help.${language}.md`, 'utf8')
    const glossary = [...handbook.matchAll(/^\| \*\*(.+)\*\* \|/gm)].map(([, word = '']) => word.toLowerCase())
    expect(glossary).toHaveLength(14)
    const messages = textsOf(words)
    const all = messages.join('\n').toLowerCase()
    expect(glossary.filter((word) => !all.includes(word))).toEqual([])
    expect(glossary).toEqual(
      expect.arrayContaining(Object.values(words.common.status).map((word) => word.toLowerCase())),
    )
    expect([...messages, ...handbook.split('\n')].filter((text) => replaced.test(text))).toEqual([])
  },
)

function textsOf(messages: object): string[] {
  return Object.values(messages).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? textsOf(value) : [],
  )
}
