import { afterAll, expect, test } from 'vitest'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { isFirstDay, setPreference } from './preferences'
import { changeWorkSettings } from './work'

const desk = await openTestDesk()
const anna = await desk.person('anna', 'admin', 'all')
afterAll(() => desk.close())

test('the welcome is for administrators, until the choice is made or postponed', async () => {
  const sara = await desk.person('sara', 'staff', 'all')
  expect(await Promise.all([anna, sara].map((who) => isFirstDay(desk.parts, who)))).toEqual([true, false])
  await changeWorkSettings(desk.parts, anna, { work: { from: null } })
  expect(await isFirstDay(desk.parts, anna)).toBe(false)
  await changeWorkSettings(desk.parts, anna, { work: null })
  await setPreference(desk.parts, anna, { name: 'welcome', value: { seen: true } })
  expect(await isFirstDay(desk.parts, anna)).toBe(false)
})
