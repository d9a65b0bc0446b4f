import { expect, test } from 'vitest'
import { MAX_NOTE_LENGTH } from '@/lib/contract/limits'
import { completeMention } from './complete-mention'

const colleagues = ['Anna Lund', 'Åsa Andersson', 'Bo'].map((name) => ({ id: name, name }))
const longText = 'x'.repeat(MAX_NOTE_LENGTH - 4)

/** A bar stands for the caret. */
test.each([
  ['an', ' och mer', ['@Anna Lund |och mer', '@Åsa Andersson |och mer']],
  ['bo', '', []],
  ['b', longText, [`@Bo |${longText}`]],
  ['b', `${longText}x`, []],
])('@%s before %.9s', (typed, after, expected) => {
  const completions = completeMention(`@${typed}${after}`, { start: 0, typed }, colleagues)
  expect(completions.map(({ note, caret }) => `${note.slice(0, caret)}|${note.slice(caret)}`)).toEqual(expected)
})
