import { expect, test } from 'vitest'
import { isChosen } from './rights-section'

test.each([
  [{}, true, false],
  [{ 'asked-question own': false, 'asked-question other': true }, false, true],
])('a lead is chosen unless of another name, or as the user decides: %j', (userChoices, own, other) => {
  expect(isChosen({ kind: 'asked-question', id: 'own', isOther: false }, userChoices)).toBe(own)
  expect(isChosen({ kind: 'asked-question', id: 'other', isOther: true }, userChoices)).toBe(other)
})
