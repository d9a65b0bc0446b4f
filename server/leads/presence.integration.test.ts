import { afterAll, expect, test } from 'vitest'
import { question } from '@/lib/leads/testing/leads'
import { NotFoundError } from '@/server/base/errors'
import { updatePresence } from './presence'
import { openTestDesk } from './testing/test-desk'

const desk = await openTestDesk()
afterAll(() => desk.close())

test('a tab is told which other users have its lead open, and nothing of a lead out of scope', async () => {
  const [sara, nils] = [
    await desk.addPerson('sara', 'staff', ['norra']),
    await desk.addPerson('nils', 'staff', ['norra']),
  ]
  const omar = await desk.addPerson('omar', 'staff', ['sodra'])
  desk.setQuestions([question('q1')])
  const lead = { kind: 'asked-question', id: 'q1' } as const
  await updatePresence(desk.parts, sara, { tab: 'a', lead })
  expect(await updatePresence(desk.parts, sara, { tab: 'second', lead })).toEqual({ others: [] })
  expect(await updatePresence(desk.parts, nils, { tab: 'b', lead })).toEqual({ others: [{ id: 'sara', name: 'sara' }] })
  await expect(updatePresence(desk.parts, omar, { tab: 'c', lead })).rejects.toThrow(NotFoundError)
})
