import fc from 'fast-check'
import { asc, desc, gt } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { type AnswerFigures, interestQuerySchema } from '@/lib/contract/interest'
import type { LeadStatus } from '@/lib/contract/lead'
import { question } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { activity } from '@/server/base/schema'
import { openRightsDesk } from '@/server/privacy/testing/rights-desk'
import { addAttempt } from '@/server/leads/attempts'
import { setTriage } from '@/server/leads/change-triage'
import { undoTriage } from '@/server/leads/undo-triage'
import { getInterest } from './interest'
import { createInterestCache } from './interest-cache'

const desk = await openRightsDesk()
const sara = await desk.person('sara', 'staff', ['norra'])
vi.useFakeTimers({ toFake: ['Date'] })
afterAll(() => desk.close())
afterAll(() => void vi.useRealTimers())

const kind = 'asked-question'
const LEADS = 8
const MONDAY = Date.parse('2026-11-16T06:00:00Z')
const HOUR_MS = 3_600_000

/** For attempts and for decisions. */
function setTime(ms: number): void {
  desk.time.ms = ms
  vi.setSystemTime(ms)
}

const stroke = fc.record({
  hours: fc.integer({ min: 1, max: 5 }),
  lead: fc.integer({ min: 0, max: LEADS - 1 }),
  does: fc.constantFrom(
    'sent',
    'talked',
    'no-answer',
    'call-again',
    'handled',
    'in-progress',
    'dismissed',
    'assigned',
    'undo',
  ),
  alsoHandles: fc.boolean(),
})
type Stroke = typeof stroke extends fc.Arbitrary<infer S> ? S : never

async function work({ lead, does, alsoHandles }: Stroke, world: string, undos: string[]): Promise<void> {
  const ref = { kind, id: `${world}${lead}` } as const
  if (does === 'undo') {
    const undo = undos.pop()
    if (undo !== undefined) await undoTriage(desk.parts, allow(sara, 'leads:triage'), { undo }).catch(() => {})
  } else if (does === 'handled' || does === 'in-progress' || does === 'dismissed') {
    const { undo } = await setTriage(desk.parts, allow(sara, 'leads:triage'), { leads: [ref], status: does })
    if (undo !== null) undos.push(undo)
  } else if (does === 'assigned') {
    const assignee = alsoHandles ? 'sara' : 'none'
    const { undo } = await setTriage(desk.parts, allow(sara, 'leads:triage'), { leads: [ref], assignee })
    if (undo !== null) undos.push(undo)
  } else {
    const decided = alsoHandles ? { status: 'handled' as const } : {}
    const attempt = { ...ref, channel: 'phone', outcome: does, ...decided } as const
    undos.push((await addAttempt(desk.parts, allow(sara, 'leads:reply'), attempt)).undo)
  }
}

type LogEntry = typeof activity.$inferSelect
type Known = { attempts: { id: unknown; at: number; outcome: unknown }[]; status: LeadStatus; statusAt: number | null }

function readLog(entries: readonly LogEntry[]): Map<string, Known> {
  const leads = new Map<string, Known>()
  for (const { action, leadId, details, at } of entries) {
    if (leadId === null) continue
    const lead = leads.get(leadId) ?? { attempts: [], status: 'new', statusAt: null }
    leads.set(leadId, lead)
    const change = (details ?? {}) as Record<string, unknown>
    if (action === 'attempt-logged')
      lead.attempts.push({ id: change['attempt'], at: at.getTime(), outcome: change['outcome'] })
    if (action === 'attempt-undone') lead.attempts = lead.attempts.filter(({ id }) => id !== change['attempt'])
    if ((action === 'triage-changed' || action === 'triage-undone') && change['from'] !== change['to']) {
      lead.status = change['to'] as LeadStatus
      lead.statusAt = at.getTime()
    }
  }
  return leads
}

function dueOf(createdAt: number): string {
  let day = createdAt
  for (let left = 2; left > 0;) {
    day += 24 * HOUR_MS
    if (![0, 6].includes(new Date(day).getUTCDay())) left -= 1
  }
  return new Date(day).toISOString().slice(0, 10)
}

/** With linear interpolation, as SQL has it. */
function percentile(numbers: readonly number[], share: number): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return below === undefined || above === undefined ? null : below + (above - below) * (place - Math.floor(place))
}

function recomputed(leads: readonly { id: string; createdAt: string }[], log: ReadonlyMap<string, Known>, now: number) {
  const today = new Date(now).toISOString().slice(0, 10)
  const waits: number[] = []
  let [counted, within] = [0, 0]
  for (const { id, createdAt } of leads) {
    const { attempts = [], status = 'new', statusAt = null } = log.get(id) ?? {}
    const came = Date.parse(createdAt)
    const reached = attempts.find(({ outcome }) => outcome === 'sent' || outcome === 'talked')?.at ?? null
    const answeredAt = reached ?? (status === 'handled' ? statusAt : null)
    if (answeredAt !== null) waits.push((answeredAt - came) / 60_000)
    const due = dueOf(came)
    if (answeredAt === null && (status === 'dismissed' || due >= today)) continue
    counted += 1
    if (answeredAt !== null && new Date(answeredAt).toISOString().slice(0, 10) <= due) within += 1
  }
  return {
    count: waits.length,
    counted,
    withinGoal: counted === 0 ? null : within / counted,
    medianMinutes: percentile(waits, 0.5),
    p90Minutes: percentile(waits, 0.9),
  }
}

test('answers within the goal and times to the first answer are what the log says was done', async () => {
  let worlds = 0
  const arrivals = fc.array(fc.record({ day: fc.integer({ min: 0, max: 9 }), hour: fc.integer({ min: 6, max: 18 }) }), {
    minLength: LEADS,
    maxLength: LEADS,
  })
  await fc.assert(
    fc.asyncProperty(arrivals, fc.array(stroke, { minLength: 5, maxLength: 25 }), async (came, strokes) => {
      const world = `w${(worlds += 1)}-`
      const leads = came.map(({ day, hour }, at) => ({
        id: `${world}${at}`,
        createdAt: new Date(MONDAY - (10 - day) * 24 * HOUR_MS + (hour - 6) * HOUR_MS).toISOString(),
      }))
      desk.setQuestions(leads.map(({ id, createdAt }) => question(id, { createdAt })))
      setTime(MONDAY)
      const [last] = await desk.db.select({ id: activity.id }).from(activity).orderBy(desc(activity.id)).limit(1)
      const undos: string[] = []
      for (const one of strokes) {
        setTime(desk.time.ms + one.hours * HOUR_MS)
        if (new Date(desk.time.ms).getUTCHours() > 21) setTime(desk.time.ms + 8 * HOUR_MS)
        await work(one, world, undos)
      }
      const log = await desk.db
        .select()
        .from(activity)
        .where(gt(activity.id, last?.id ?? 0))
        .orderBy(asc(activity.id))
      const parts = { ...desk.parts, interest: createInterestCache() }
      const viewer = allow(sara, 'interest:read')
      const { answers, handled } = await getInterest(parts, viewer, interestQuerySchema.parse({ cohort: 2027 }))
      const expected = recomputed(leads, readLog(log), desk.time.ms)
      expect(roundedFigures(answers)).toEqual(roundedFigures(expected))
      expect(handled.medianMinutes ?? -1).toBeCloseTo(expected.medianMinutes ?? -1)
    }),
    { numRuns: 12 },
  )
}, 120_000)

function roundedFigures({ count, counted, withinGoal, medianMinutes, p90Minutes }: AnswerFigures) {
  const rounded = (number: number | null) => (number === null ? null : Math.round(number * 1_000) / 1_000)
  const minutes = { medianMinutes: rounded(medianMinutes), p90Minutes: rounded(p90Minutes) }
  return { count, counted, withinGoal: rounded(withinGoal), ...minutes }
}
