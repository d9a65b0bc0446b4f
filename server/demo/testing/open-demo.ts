import { needsAnswer, isEarlier, isFollowUp } from '@/lib/leads/work-rules'
import { stockholmDay } from '@/lib/time/stockholm'
import { createActivity } from '@/server/activity/activity'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { failWhenUnreachable } from '@/server/db/testing/unreachable'
import { createScopes } from '@/server/export/export-log'
import { builtTableOf } from '@/server/feed/testing/built-table'
import { createSeal } from '@/server/seal'
import { createWork } from '@/server/settings/work'
import { createTriageBoard } from '@/server/triage/triage-board'
import { ensureDemoUsers } from '@/server/users/first-users'
import { createUsers } from '@/server/users/users'
import { createColleagues } from '../colleagues'
import { ensureDemoHistory } from '../demo-history'
import type { DemoData } from '../lead-lives'

export const KEY = new Uint8Array(32).fill(7)
export const TUESDAY = Date.parse('2026-11-24T09:30:00Z')
const MONTHS_MS = 120 * 86_400_000

export type Demo = Awaited<ReturnType<typeof openDemo>>

export async function openDemo(start: number) {
  const database = await openPgliteInMemory()
  const connect = async () => database.db
  const time = { ms: start }
  const now = () => time.ms
  const seal = createSeal(KEY)
  const onUnreachable = failWhenUnreachable
  const store = createUsers({ connect, now, demo: true })
  const logger = { info: () => {}, warn: ({ err }: { err?: unknown }) => failWhenUnreachable(err) }
  const log = createActivity({ connect, now })
  const begin = async (data: DemoData) => {
    const since = new Date(now() - MONTHS_MS).toISOString()
    const isLate = ({ createdAt }: { createdAt: string }) => createdAt > since
    const askedQuestions = data.askedQuestions.filter(isLate)
    const declarationsOfInterest = data.declarationsOfInterest.filter(isLate)
    const tables = {
      'asked-question': builtTableOf('asked-question', askedQuestions),
      'declaration-of-interest': builtTableOf('declaration-of-interest', declarationsOfInterest),
    }
    const schools = data.highSchools.map(({ id }) => id)
    await ensureDemoUsers(store, schools.slice(0, 2))
    const board = createTriageBoard({ connect, onUnreachable, now })
    const work = createWork({ connect, now, onUnreachable })
    const shared = {
      connect,
      now,
      users: store,
      work,
      env: { demoPast: true, redisUrl: null, retentionMonths: 24 },
      demo: { schools, data: async () => ({ ...data, askedQuestions, declarationsOfInterest }) },
    }
    await ensureDemoHistory({ ...shared, seal, logger, scopes: createScopes({ current: KEY, previous: null }) })
    const announcer = { triage: () => {} }
    const present = new Set<string>()
    const presence = { peopleAt: ({ id }: { id: string }) => (present.has(id) ? ['someone'] : []) }
    const colleagues = createColleagues({ ...shared, activity: log, triage: board, presence, announcer })
    return { tables, board, work, schools, colleagues, present }
  }
  return { db: database.db, connect, time, now, begin, activity: log, close: () => database.close() }
}

export type Begun = Awaited<ReturnType<Demo['begin']>>

export async function countWork({ tables, board, work }: Begun, now: number) {
  const [table, kind] = [tables['asked-question'], 'asked-question' as const]
  const rules = await work.rules(kind)
  const entries = await board.current(kind)
  const counts = { waiting: 0, late: 0, dueToday: 0, followUp: 0, aside: 0 }
  for (let row = 0; row < table.size; row++) {
    const [id, createdAt] = [table.id[row] ?? '', table.createdAt[row] ?? 0]
    const entry = entries.get(id)
    if (isFollowUp(entry, rules)) counts.followUp += 1
    if (entry?.snoozeUntil != null && entry.snoozeUntil > rules.backOn) counts.aside += 1
    if (!needsAnswer(entry, rules) || isEarlier(rules, createdAt, table.year[row] ?? 0)) continue
    counts.waiting += 1
    if (createdAt < rules.lateBefore) counts.late += 1
    if (rules.dueOf(createdAt) === stockholmDay(now)) counts.dueToday += 1
  }
  return counts
}
