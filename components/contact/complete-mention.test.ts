import { expect, test } from 'vitest'
import { MAX_NOTE_LENGTH } from '@/lib/contract/limits'
import { findTypedMention } from '@/lib/inbox/mentions'
import { completeMention } from './complete-mention'

const colleagues = ['Anna Lund', 'Åsa Andersson', 'Bo'].map((name) => ({ id: name, name }))

/** A bar stands for the caret. */
test.each([
  ['Hej @an|', ['Hej @Anna Lund |', 'Hej @Åsa Andersson |']],
  ['@ÅSA| och mer', ['@Åsa Andersson |och mer']],
  ['@bo|', []],
  ['@sson|', []],
  [`@b|${'x'.repeat(MAX_NOTE_LENGTH - 4)}`, [`@Bo |${'x'.repeat(MAX_NOTE_LENGTH - 4)}`]],
  [`@b|${'x'.repeat(MAX_NOTE_LENGTH - 3)}`, []],
])('%.20s is completed as %.40j', (before, expected) => {
  const typed = before.replace('|', '')
  const mention = findTypedMention(typed, before.indexOf('|'))
  const completions = mention === null ? [] : completeMention(typed, mention, colleagues)
  const withCaret = completions.map(({ note, caretAfterName: end }) => `${note.slice(0, end)}|${note.slice(end)}`)
  expect(withCaret).toEqual(expected)
})
