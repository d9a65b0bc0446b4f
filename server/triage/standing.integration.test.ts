import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { and, asc, eq, like } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { AskedQuestion } from '@/lib/contract/lead'
import type { WorkSettingsChange } from '@/lib/contract/settings'
import { question } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { protectedPersons } from '@/server/db/access-schema'
import { activity, settings, triage, users } from '@/server/db/schema'
import { openTestDesk } from '@/server/leads/testing/test-desk'
import { encryptPerson } from '@/server/rights/protected-person'
import { changeWorkSettings } from '@/server/settings/work'
import { setTriage } from './change-triage'
import { createStanding } from './standing'

const CHOSEN = Date.parse('2026-11-20T08:00:00Z')
const quiet = { warn: ({ err }: { err?: unknown }) => expect(err).toBeUndefined() }
const newStanding = () => createStanding({ ...desk.parts, logger: quiet })
const choose = (change: WorkSettingsChange) => changeWorkSettings(desk.parts, admin, change)

const desk = await openTestDesk()
const admin = await desk.person('admin', 'admin', 'all')
for (const id of ['anna', 'bo', 'cia']) await desk.person(id, 'staff', ['norra'])
await desk.person('dan', 'staff', ['sodra'])
await desk.person('mia', 'manager', 'all')
afterAll(() => desk.close())
beforeEach(async () => {
  desk.time.ms = CHOSEN
  await desk.db.delete(triage)
  await desk.db.delete(activity)
  await desk.db.delete(settings)
  await desk.db.delete(protectedPersons)
  await desk.db.update(users).set({ disabled: false })
  desk.parts.work.invalidate()
  desk.events.length = 0
})

/** Questions to Norra, a minute apart from the moment of the choice on, with the ids q0, q1 … */
const came = (count: number, from = CHOSEN + 60_000, prefix = 'q') =>
  Array.from({ length: count }, (_, at) =>
    question(`${prefix}${String(at).padStart(4, '0')}`, { createdAt: new Date(from + at * 60_000).toISOString() }),
  )

/** A protected person with an e-mail address, and the allowed users. */
async function protect(email: string, allowedUsers: string[]): Promise<void> {
  const id = randomUUID()
  const person = { emails: [email], phones: [], leads: [], reason: 'Skyddad folkbokföring', changes: [] }
  const sealedPerson = encryptPerson(desk.parts.seal, id, person)
  await desk.db.insert(protectedPersons).values({ id, sealedPerson, allowedUsers, createdAt: new Date(CHOSEN) })
}

async function assignees(prefix = 'q'): Promise<(string | null)[]> {
  const isOne = and(eq(triage.kind, 'asked-question'), like(triage.leadId, `${prefix}%`))
  const rows = await desk.db.select().from(triage).where(isOne).orderBy(asc(triage.leadId))
  return rows.map(({ assigneeId }) => assigneeId)
}

/** One that counts how often it asks the database, but to read what is chosen. */
function counting() {
  let asked = 0
  const connect = () => ((asked += 1), desk.parts.connect())
  const standing = createStanding({ ...desk.parts, connect, logger: quiet })
  const assign = async () => {
    asked = 0
    return { given: await standing.assign('asked-question'), locks: asked }
  }
  return { assign, locks: async () => (await assign()).locks }
}
const change = (id: string, set: Partial<typeof users.$inferInsert>) =>
  desk.db.update(users).set(set).where(eq(users.id, id))

describe('new leads of a school with standing persons', () => {
  test('go to them in turn, the oldest first, logged without a user, and announced', async () => {
    await choose({ standing: { norra: ['anna', 'bo', 'cia'] } })
    await desk.db.delete(activity)
    desk.events.length = 0
    desk.setQuestions(came(4))
    expect(await newStanding().assign('asked-question')).toBe(4)
    expect(await assignees()).toEqual(['anna', 'bo', 'cia', 'anna'])
    const log = await desk.db.select().from(activity).orderBy(asc(activity.id))
    expect(log.map(({ userId, action, details }) => [userId, action, details?.['assignee']])).toEqual(
      ['anna', 'bo', 'cia', 'anna'].map((who) => [null, 'lead-assigned', who]).sort(byLast),
    )
    const changes = [{ by: '', schools: ['norra'] }]
    expect(desk.events).toEqual([{ name: 'triage', list: 'asked-questions', changes }])
  })

  test('only those since the first choice; a later choice does not move that moment', async () => {
    await choose({ standing: { norra: ['anna'] } })
    desk.setQuestions([...came(1, CHOSEN - 60_000, 'old'), ...came(1)])
    const standing = newStanding()
    expect(await standing.assign('asked-question')).toBe(1)
    expect(await assignees('old')).toEqual([])
    desk.time.ms = CHOSEN + 3_600_000
    await choose({ standing: { norra: ['bo'], sodra: ['dan'] } })
    desk.setQuestions([...came(2), question('s1', { school: 'sodra', createdAt: '2026-11-20T08:30:00Z' })])
    await standing.assign('asked-question')
    expect(await assignees()).toEqual(['anna', 'bo'])
    expect(await assignees('s')).toEqual([])
  })

  test('not those from before the work, and none with a decision', async () => {
    await choose({ standing: { norra: ['anna'] } })
    desk.time.ms = CHOSEN + 24 * 3_600_000
    await choose({ work: { from: '2026-11-21' } })
    desk.setQuestions([...came(2), ...came(2, CHOSEN + 24 * 3_600_000, 'r')])
    const leads = [{ kind: 'asked-question', id: 'r0000' } as const]
    const decider = allow(admin, 'leads:triage')
    await setTriage(desk.parts, decider, { leads, status: 'new', assignee: 'none' })
    await setTriage(desk.parts, decider, { leads, status: 'in-progress' })
    await newStanding().assign('asked-question')
    expect(await assignees()).toEqual([])
    expect(await assignees('r')).toEqual([null, 'anna'])
  })

  test('pass over who is on leave, may no longer, or does not see the school; the turn goes on from there', async () => {
    await choose({ standing: { norra: ['anna', 'dan', 'mia', 'gone', 'bo', 'cia'] }, leave: { bo: '2026-11-23' } })
    await change('cia', { disabled: true })
    desk.setQuestions(came(2))
    const standing = newStanding()
    await standing.assign('asked-question')
    expect(await assignees()).toEqual(['anna', 'anna'])
    desk.time.ms = Date.parse('2026-11-23T08:00:00Z')
    desk.setQuestions(came(4))
    await standing.assign('asked-question')
    expect(await assignees()).toEqual(['anna', 'anna', 'bo', 'anna'])
  })

  test('by a protected person go to those who are shown who it is, and stay where none of them is there', async () => {
    await choose({ standing: { norra: ['anna', 'bo', 'cia'] } })
    const by = (email: string) => (lead: AskedQuestion) => ({ ...lead, sender: { ...lead.sender, email } })
    desk.setQuestions([
      ...came(3).map(by('elsa@elev.example')),
      ...came(2, CHOSEN + 600_000, 'r').map(by('otto@elev.example')),
      ...came(3, CHOSEN + 1_200_000, 's'),
    ])
    await protect('elsa@elev.example', ['bo', 'dan'])
    await protect('otto@elev.example', [])
    const { assign } = counting()
    expect((await assign()).given).toBe(6)
    expect([await assignees(), await assignees('r')]).toEqual([['bo', 'bo', 'bo'], []])
    expect(await assignees('s'), 'the turn goes on from there').toEqual(['cia', 'anna', 'bo'])
    expect(await assign(), 'and no lock is taken for the others').toEqual({ given: 0, locks: 0 })
    await desk.db.delete(protectedPersons)
    await protect('otto@elev.example', ['anna'])
    expect((await assign()).given).toBe(2)
    expect(await assignees('r')).toEqual(['anna', 'anna'])
  })

  test('take no lock of anybody where there is nothing to give, or nobody to give it to', async () => {
    const { locks } = counting()
    desk.setQuestions([])
    await choose({ standing: { norra: ['anna', 'bo'] }, leave: { anna: '2026-12-01' } })
    expect(await locks(), 'the start of the turns is stored at the first check').toBe(1)
    expect(await locks()).toBe(0)
    desk.setQuestions(came(1))
    expect([await locks(), await assignees()]).toEqual([1, ['bo']])
    expect(await locks()).toBe(0)
    await change('bo', { schools: ['sodra'] })
    desk.setQuestions(came(2))
    const left = [await locks(), await locks(), await assignees()]
    expect(left, 'of two, one away and one who lost the school').toEqual([0, 0, ['bo']])
    await change('bo', { schools: ['norra'], disabled: true })
    expect(await locks(), 'or their account').toBe(0)
    await change('bo', { disabled: false })
    expect([await locks(), await assignees()]).toEqual([1, ['bo', 'bo']])
  })

  test('whose data was erased are looked at once', async () => {
    await choose({ standing: { norra: ['anna'] } })
    const [lead] = came(1)
    const at = new Date(CHOSEN)
    await desk.db.insert(activity).values({ at, action: 'data-erased', leadKind: 'asked-question', leadId: lead?.id })
    desk.setQuestions(came(1))
    const { assign } = counting()
    await assign()
    expect([await assign(), await assignees()]).toEqual([{ given: 0, locks: 0 }, []])
  })
})

describe('exactly once', () => {
  test('two instances on one database look at the same time, and after a restart the turn goes on', async () => {
    await choose({ standing: { norra: ['anna', 'bo', 'cia'] } })
    desk.setQuestions(came(50))
    const counts = await Promise.all([newStanding().assign('asked-question'), newStanding().assign('asked-question')])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(50)
    expect(await desk.db.$count(activity, eq(activity.action, 'lead-assigned'))).toBe(50)
    desk.setQuestions(came(51))
    await newStanding().assign('asked-question')
    // 50 are 16 rounds and two: it is the third's turn.
    expect((await assignees()).at(-1)).toBe('cia')
  })

  test('more than one transaction takes are all assigned', async () => {
    await choose({ standing: { norra: ['anna', 'bo'] } })
    desk.setQuestions(came(1_203))
    expect(await newStanding().assign('asked-question')).toBe(1_203)
    const given = await assignees()
    expect(given.filter((who) => who === 'anna').length).toBe(602)
  })
})

test('whatever comes when, nobody who is there has more than one lead more than another', async () => {
  const arrivals = fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 6 })
  const away = fc.subarray(['anna', 'bo', 'cia', 'admin'], { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(arrivals, away, async (counts, absent) => {
      await desk.db.delete(triage)
      await desk.db.delete(settings)
      desk.parts.work.invalidate()
      desk.time.ms = CHOSEN
      const leave = Object.fromEntries(absent.map((id) => [id, '2026-12-24']))
      await choose({ standing: { norra: ['anna', 'bo', 'cia', 'admin'] }, leave })
      let total = 0
      for (const count of counts) {
        total += count
        desk.setQuestions(came(total))
        await newStanding().assign('asked-question')
      }
      const given = await assignees()
      const there = ['anna', 'bo', 'cia', 'admin'].filter((id) => !absent.includes(id))
      const each = there.map((id) => given.filter((who) => who === id).length)
      expect(given.length).toBe(total)
      expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1)
    }),
    { numRuns: 15 },
  )
})

const byLast = (a: readonly unknown[], b: readonly unknown[]) => String(a.at(-1)).localeCompare(String(b.at(-1)))
