import { expect, test } from 'vitest'
import { report } from './reseal'

const counts = [
  { column: 'notes.sealed_text', resealed: 1204 },
  { column: 'exports.sealed_reason', resealed: 0 },
]
const nothing = counts.map(({ column }) => ({ column, resealed: 0 }))

test('says how many of each were sealed anew, and to run it once more', () => {
  expect(report({ counts, unopened: [], isLeftBehind: false }, true).split('\n')).toEqual([
    '    1204  notes.sealed_text',
    '       0  exports.sealed_reason',
    'Done. When every instance runs with the new DATA_KEY, run this once more.',
  ])
})

test('says when the key before can go, and never while somebody still seals with it', () => {
  expect(report({ counts: nothing, unopened: [], isLeftBehind: false }, true)).toContain('remove it when')
  expect(report({ counts: nothing, unopened: [], isLeftBehind: true }, true)).not.toContain('remove it when')
  expect(report({ counts, unopened: [], isLeftBehind: false }, true)).not.toContain('remove it when')
  expect(report({ counts, unopened: [], isLeftBehind: false }, false)).not.toContain('DATA_KEY_PREVIOUS')
})

test('names what could not be opened, fifty of them', () => {
  const unopened = Array.from({ length: 53 }, (_, index) => `notes.sealed_text n${index}`)
  const text = report({ counts, unopened, isLeftBehind: false }, true)
  expect(text).toContain('53 that neither DATA_KEY nor DATA_KEY_PREVIOUS opens; they stay as they are:')
  expect(text).toContain('  notes.sealed_text n49\n  and 3 more\n')
})
