import { expect, test } from 'vitest'
import { selectChosenLeads } from './rights-section'

test('leads are chosen unless of another name, also those that arrive later, and else as the user decides', () => {
  const lead = (id: string, isOther: boolean) => ({ kind: 'asked-question', id, isOther }) as const
  const listIds = (...leads: ReturnType<typeof lead>[]) =>
    selectChosenLeads(leads, { 'asked-question dropped': false, 'asked-question added': true }).map(({ id }) => id)
  const loaded = [lead('own', false), lead('dropped', false), lead('added', true), lead('sibling', true)]
  expect(listIds(...loaded)).toEqual(['own', 'added'])
  expect(listIds(...loaded, lead('new', false), lead('new sibling', true))).toEqual(['own', 'added', 'new'])
})
