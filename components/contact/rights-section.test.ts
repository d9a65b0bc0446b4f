import { expect, test } from 'vitest'
import { isChosen } from './rights-section'

test.each([
  ['that has arrived later, unless its name is another', {}, [true, false]],
  ['as the user decides', { 'asked-question own': false, 'asked-question other': true }, [false, true]],
])('a lead is chosen %s', (_, userChoices, expected) => {
  const leads = (['own', 'other'] as const).map(
    (id) => ({ kind: 'asked-question', id, isOther: id === 'other' }) as const,
  )
  expect(leads.map((lead) => isChosen(lead, userChoices))).toEqual(expected)
})
