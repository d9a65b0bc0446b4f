import { asc, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { stockholmClock } from '@/lib/time/stockholm'
import { inventData, type Tier } from '@/reference-service/invented/data'
import { makeViewer } from '@/server/access/viewer'
import { activity, attempts, exports, mentions, notes, triage, users } from '@/server/db/schema'
import { changeWorkSettings } from '@/server/settings/work'
import { triageDetailsSchema } from '@/server/triage/write-triage'
import { type Begun, countWork, type Demo, openDemo, TUESDAY } from './testing/open-demo'

const begin = (demo: Demo, tier: Tier = 'M') => demo.begin(inventData({ tier, seed: 7, now: demo.now() }))

async function rowsOf({ db }: Demo) {
  const { kind, leadId, status, assigneeId, updatedAt, updatedBy, snoozeUntil } = triage
  const decided = { kind, leadId, status, assigneeId, updatedAt, updatedBy, snoozeUntil }
  const tried = { leadId: attempts.leadId, at: attempts.at, userId: attempts.userId, outcome: attempts.outcome }
  return {
    decided: await db.select(decided).from(triage).orderBy(asc(kind), asc(leadId)),
    tried: await db.select(tried).from(attempts).orderBy(asc(attempts.at), asc(attempts.leadId)),
  }
}

describe('the past of a demo on a Tuesday morning', () => {
  let demo: Demo
  let begun: Begun
  beforeAll(async () => {
    demo = await openDemo(TUESDAY)
    begun = await begin(demo)
  })
  afterAll(() => demo.close())

  test('is a calm day: a few late, a few due, one that is back', async () => {
    const counts = await countWork(begun, TUESDAY)
    expect(counts).toMatchObject({ late: 3, followUp: 1, aside: 4 })
    expect(counts.dueToday).toBeGreaterThanOrEqual(3)
    expect(counts.dueToday).toBeLessThanOrEqual(6)
    expect(counts.waiting).toBeLessThan(40)
  })

  test('happened after each lead came and before now, in working hours', async () => {
    const { decided, tried } = await rowsOf(demo)
    expect(decided.length).toBeGreaterThan(1_500)
    const came = (kind: LeadKind, id: string) => {
      const table = begun.tables[kind]
      return table.createdAt[table.rowOf(id)] ?? Infinity
    }
    const moments = decided.map(({ kind, leadId, updatedAt }) => [came(kind, leadId), updatedAt.getTime()] as const)
    expect(moments.filter(([from, at]) => at <= from || at >= TUESDAY)).toEqual([])
    const hours = [...moments.map(([, at]) => at), ...tried.map(({ at }) => at.getTime())].map((at) => {
      const clock = new Date(stockholmClock(at))
      return { day: clock.getUTCDay(), minute: clock.getUTCHours() * 60 + clock.getUTCMinutes() }
    })
    expect(hours.filter(({ day, minute }) => day === 0 || day === 6 || minute < 480 || minute > 960)).toEqual([])
  })

  test('schools differ in how quickly they answer', async () => {
    const entries = await begun.board.current('asked-question')
    const table = begun.tables['asked-question']
    const medianOf = (school: string) => {
      const waited: number[] = []
      for (const [id, { answeredAt }] of entries) {
        const row = table.rowOf(id)
        if (answeredAt != null && table.schoolIds[table.school[row] ?? -1] === school)
          waited.push(answeredAt - (table.createdAt[row] ?? 0))
      }
      return waited.toSorted((a, b) => a - b)[Math.floor(waited.length / 2)] ?? 0
    }
    const [, quick = '', , slow = ''] = begun.schools
    expect(medianOf(slow)).toBeGreaterThan(2 * medianOf(quick))
  })

  test('is by people who cannot sign in, and who are the demo’s', async () => {
    const invented = await demo.db.select().from(users).where(like(users.id, 'demo-%'))
    expect(invented).toHaveLength(7)
    expect(invented.filter((one) => one.passwordHash !== null || !one.demo)).toEqual([])
    const by = await demo.db.selectDistinct({ by: triage.updatedBy }).from(triage)
    expect(by.filter((one) => !one.by?.startsWith('demo-'))).toEqual([])
  })

  test('has notes, a mention of the staff account, exports with their purpose', async () => {
    expect(await demo.db.$count(notes)).toBeGreaterThan(20)
    const [mention] = await demo.db.select().from(mentions)
    const [staff] = await demo.db.select().from(users).where(like(users.email, 'staff@%'))
    expect(mention?.userId).toBe(staff?.id)
    expect(await demo.db.$count(exports)).toBe(6)
  })

  test('names nobody outside the table of users, and what is sealed is not to be read', async () => {
    const dump: string[] = []
    for (const table of ['triage', 'attempts', 'activity', 'notes', 'mentions', 'saved_views', 'exports', 'settings']) {
      const rows = await demo.db
        .select({ row: sql<string>`row_to_json(t)::text` })
        .from(sql`${sql.identifier(table)} t`)
      dump.push(...rows.map(({ row }) => row))
    }
    const text = dump.join('\n')
    expect(text.length).toBeGreaterThan(500_000)
    const lead = begun.tables['asked-question'].lead(40)
    for (const word of ['Lindqvist', 'Karin Ek', 'Sandberg', 'öppet hus. ', 'Ringlista', 'uppringda', '@example.'])
      expect(text.includes(word), word).toBe(false)
    expect(text.includes(lead.id)).toBe(true)
  })

  test('is in the log as it would have been written then, in the order of time', async () => {
    const log = await demo.db.select().from(activity).orderBy(asc(activity.id))
    expect(log.map(({ at }) => at)).toEqual(log.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime()))
    const detailsOf = (name: string) => log.filter(({ action }) => action === name).map(({ details }) => details)
    const rows = await demo.db.select().from(triage)
    const decided = detailsOf('triage-changed').map((details) => triageDetailsSchema.parse(details).to)
    expect(decided.toSorted()).toEqual(rows.map(({ status }) => status).toSorted())
    const tried = await demo.db.select().from(attempts).orderBy(asc(attempts.at), asc(attempts.id))
    const attempted = tried.map(({ id, channel, outcome }) => ({ attempt: id, channel, outcome }))
    expect(detailsOf('attempt-logged')).toEqual(attempted)
    const others = ['opened', 'note-added', 'view-added', 'export-started', 'export-ended', 'sign-in', 'sign-out']
    expect(new Set(log.map(({ action }) => action))).toEqual(new Set(['triage-changed', 'attempt-logged', ...others]))
  })

  test('the day after it is invented again, and what people did by hand stays', async () => {
    const before = await rowsOf(demo)
    const triedOf = (rows: typeof before) => rows.tried.filter(({ leadId }) => leadId === own?.leadId)
    const own = before.decided.find(({ leadId }) => before.tried.some((one) => one.leadId === leadId))
    if (own === undefined) throw new Error('nothing was tried')
    const [person] = await demo.db.select().from(users).where(like(users.email, 'admin@%'))
    if (person === undefined) throw new Error('there is no administrator')
    await demo.db
      .update(triage)
      .set({ status: 'dismissed', updatedBy: person.id, updatedAt: new Date(TUESDAY) })
      .where(sql`${triage.leadId} = ${own.leadId} and ${triage.kind} = ${own.kind}`)
    const lead = { kind: own.kind, id: own.leadId }
    await demo.activity.record({ userId: person.id, action: 'triage-changed', lead })
    demo.time.ms += 60_000
    const parts = { ...demo, work: begun.work, announcer: { work: async () => begun.work.invalidate() } }
    await changeWorkSettings(parts, makeViewer(person), { work: { from: '2026-10-01' } })
    demo.time.ms += 24 * 3_600_000
    begun = await begin(demo)
    const after = await rowsOf(demo)
    expect(Math.abs(after.decided.length - before.decided.length)).toBeLessThan(200)
    const kept = after.decided.find((one) => one.kind === own.kind && one.leadId === own.leadId)
    expect(kept).toMatchObject({ status: 'dismissed', updatedBy: person.id })
    expect(triedOf(after)).toEqual(triedOf(before))
    const log = await demo.db.select().from(activity)
    const ofLead = log.filter(({ leadId, action }) => leadId === own.leadId && action === 'attempt-logged')
    expect(ofLead).toHaveLength(triedOf(before).length)
    const settings = await begun.work.settings()
    expect(settings.work).toEqual({ from: '2026-10-01' })
    expect((await countWork(begun, demo.time.ms)).late).toBe(3)
    const theirs = log.filter(({ userId }) => userId === person.id)
    expect(theirs.map(({ action }) => action)).toEqual(expect.arrayContaining(['triage-changed', 'settings-changed']))
  })
})

function withoutGuests({ decided, tried }: Awaited<ReturnType<typeof rowsOf>>) {
  const isInvented = (id: string | null) => id === null || id.startsWith('demo-')
  return {
    tried,
    decided: decided.map((row) => ({ ...row, assigneeId: isInvented(row.assigneeId) ? row.assigneeId : 'a guest' })),
  }
}

test('the same leads have the same past', async () => {
  const [one, other] = [await openDemo(TUESDAY), await openDemo(TUESDAY)]
  await begin(one, 'S')
  await begin(other, 'S')
  const [pastOfOne, pastOfOther] = [await rowsOf(one), await rowsOf(other)]
  expect(withoutGuests(pastOfOther)).toEqual(withoutGuests(pastOfOne))
  expect(pastOfOne.decided.length).toBeGreaterThan(60)
  await Promise.all([one.close(), other.close()])
})

test.each([
  ['on a Sunday', '2026-11-22T13:00:00Z'],
  ['at three in the morning', '2026-11-25T02:00:00Z'],
  ['on Christmas Eve', '2026-12-24T11:00:00Z'],
  ['in July', '2027-07-14T08:00:00Z'],
  ['on the day after the reserves were in', '2026-09-16T10:00:00Z'],
  ['a day later', '2026-09-17T10:00:00Z'],
  ['two days later', '2026-09-18T10:00:00Z'],
])('%s a demo looks like a calm day, too', async (_, start) => {
  const demo = await openDemo(Date.parse(start))
  const begun = await begin(demo, 'S')
  const counts = await countWork(begun, demo.time.ms)
  expect(counts).toMatchObject({ late: 3, followUp: 1, aside: 4 })
  for (const kind of LEAD_KINDS) {
    const entries = await begun.board.current(kind)
    expect([...entries.values()].filter(({ updatedAt }) => (updatedAt ?? 0) > demo.time.ms)).toEqual([])
  }
  await demo.close()
})
