import { expect, test } from 'vitest'
import { MAX_NOTE_LENGTH } from '@/lib/contract/limits'
import { completeMention } from './complete-mention'

const colleagues = ['Anna Lund', 'Åsa Andersson', 'Bo'].map((name) => ({ id: name, name }))
const longText = 'x'.repeat(MAX_NOTE_LENGTH - 4)

/** A bar stands for the caret. */
test.each([
  ['each first or last name', 'an', ' och mer', ['@Anna Lund |och mer', '@Åsa Andersson |och mer']],
  ['nobody once the name is complete', 'bo', '', []],
  ['a name that fills the note', 'b', longText, [`@Bo |${longText}`]],
  ['no name that makes the note too long', 'b', `${longText}x`, []],
])('what is typed of a name becomes %s', (_, typed, after, expected) => {
  const completions = completeMention(`@${typed}${after}`, { start: 0, typed }, colleagues)
  expect(completions.map(({ note, caret }) => `${note.slice(0, caret)}|${note.slice(caret)}`)).toEqual(expected)
})
