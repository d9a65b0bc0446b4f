import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { countSchools } from '@/lib/leads/school-counts'
import { allow, type Viewer } from '@/server/access/viewer'
import { countedTable } from '@/server/leads/select-leads'
import { listCounts } from '@/server/leads/list-counts'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { isFirstDay } from './first-day'
import { setPreference } from './preferences'
import { changeWorkSettings } from './work'

const [OLD_DECLARATIONS, OLD_QUESTIONS] = [14_400, 4_800]
const list = 'declarations-of-interest'

let desk: TestDesk
let anna: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  anna = await desk.person('anna', 'admin', 'all')
  const createdAt = '2026-10-20T07:00:00.000Z'
  desk.setDeclarations(Array.from({ length: OLD_DECLARATIONS }, (_, at) => declaration(`d${at}`, { createdAt })))
  desk.setQuestions(Array.from({ length: OLD_QUESTIONS }, (_, at) => question(`q${at}`, { createdAt })))
})
afterAll(() => desk.close())

/** What the menu says of the declarations. */
async function inMenu(): Promise<number> {
  const { triage, triageColumns, work } = desk.parts
  const { table } = await countedTable(desk.parts, 'declaration-of-interest')
  const [entries, rules] = await Promise.all([
    triage.current('declaration-of-interest'),
    work.rules('declaration-of-interest'),
  ])
  const columns = triageColumns.of(table, entries, triage.changes(), rules)
  return countSchools(table, columns, rules).unhandled.reduce((sum, count) => sum + count, 0)
}

test('a service with years of leads: all of it is work until a day is chosen, and none of it after', async () => {
  const viewer = allow(anna, 'leads:read')
  const onScreen = { list, earlier: false, snoozed: false } as const
  expect(await inMenu()).toBe(OLD_DECLARATIONS)
  expect(await listCounts(desk.parts, viewer, { matching: onScreen })).toMatchObject({
    total: OLD_DECLARATIONS,
    hidden: { earlier: 0 },
  })

  await changeWorkSettings(desk.parts, anna, { work: { from: '2026-11-20' } })
  expect(await inMenu()).toBe(0)
  expect(await listCounts(desk.parts, viewer, { matching: onScreen })).toMatchObject({
    total: 0,
    waiting: {},
    hidden: { earlier: OLD_DECLARATIONS },
  })
  expect(await listCounts(desk.parts, viewer, { matching: { list } }), 'a script still reads all of it').toMatchObject({
    total: OLD_DECLARATIONS,
  })
  expect(await listCounts(desk.parts, viewer, { matching: { list: 'asked-questions', earlier: false } })).toMatchObject(
    {
      total: 0,
      hidden: { earlier: OLD_QUESTIONS },
    },
  )
  await changeWorkSettings(desk.parts, anna, { work: null })
})

test('the welcome is for administrators, until somebody has chosen or it was put off', async () => {
  const sara = await desk.person('sara', 'staff', 'all')
  expect(await Promise.all([anna, sara].map((who) => isFirstDay(desk.parts, who)))).toEqual([true, false])
  await changeWorkSettings(desk.parts, anna, { work: { from: null } })
  expect(await isFirstDay(desk.parts, anna)).toBe(false)
  await changeWorkSettings(desk.parts, anna, { work: null })
  await setPreference(desk.parts, anna, { name: 'welcome', value: { seen: true } })
  expect(await isFirstDay(desk.parts, anna)).toBe(false)
})
