import 'server-only'
import { LEAD_KINDS, LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { addDays, FIRST_DAY, stockholmDay } from '@/lib/time/stockholm'
import { listVisits } from '@/server/db/schema'
import type { Logger } from '@/server/logger'
import { monthsBefore } from '@/server/retention/purge'
import type { Services } from '@/server/services'
import type { DemoService } from '@/server/upstream/demo-service'
import { exportsOf, notesOf, signInsOf, viewsOf } from './desk-past'
import { type DemoLead, livesOf } from './lead-lives'
import { setScene } from './scene'
import { writePast } from './write-past'

type Parts = Pick<Services, 'connect' | 'now' | 'users' | 'work' | 'seal' | 'scopes'> & {
  logger: Pick<Logger, 'info'>
  env: { demoPast: boolean; redisUrl: string | null; retentionMonths: number }
  demo: Pick<DemoService, 'schools' | 'data'> | null
}

/** What is older would be deleted tomorrow. */
const SPARE_MS = 2 * 86_400_000

/**
 * What invented colleagues have done with the demo's leads, written before the lists are read. At every start the leads have the
 * same ids and other moments, and so has their past; what people did by hand stays. Several instances have none, for each
 * invents leads of its own.
 */
export async function ensureDemoPast(parts: Parts): Promise<void> {
  const { connect, env, demo, logger } = parts
  if (demo === null || !env.demoPast || env.redisUrl !== null) return
  const now = parts.now()
  const { leads, from } = newestLeads(await demo.data(), now)
  const db = await connect()
  const scene = await setScene({ ...parts, db }, { now, schools: demo.schools, from })
  const [desk, since] = [{ ...parts, scene }, new Date(monthsBefore(now, env.retentionMonths).getTime() + SPARE_MS)]
  await db.transaction(async (tx) => {
    await writePast(tx, since, (touched) => {
      const untouched = leads.filter(({ kind, id }) => !touched.has(`${kind} ${id}`))
      const lives = livesOf(scene, untouched)
      const attempts = lives.flatMap((life) => life.attempts).filter(({ at }) => at >= since)
      return {
        ...notesOf(desk, lives),
        savedViews: viewsOf(desk),
        exports: exportsOf(desk, lives),
        triage: lives.map(({ triage }) => triage),
        attempts: attempts.sort((a, b) => a.at.getTime() - b.at.getTime()),
        log: [...signInsOf(scene), ...lives.flatMap(({ opened }) => opened)],
      }
    })
    // What came since is new to the demo's accounts at their first look.
    const visits = [scene.guest.id, scene.admin].flatMap((userId) =>
      LEAD_LISTS.map((list) => ({ userId, list, lastSeenAt: new Date(scene.lastLookAt) })),
    )
    await tx.insert(listVisits).values(visits).onConflictDoNothing()
  })
  logger.info({ leads: leads.length, ms: parts.now() - now }, 'the demo has a past')
}

/** Beyond so many leads the past stays unwritten: the oldest are earlier than the work instead. */
const MOST_LEADS = 20_000

/** The newest come first. `from` is the first day of which all are there. */
function newestLeads(data: Awaited<ReturnType<DemoService['data']>>, now: number) {
  const all = LEAD_KINDS.flatMap((kind) =>
    data[LISTS_BY_KIND[kind].field].map((lead): DemoLead => {
      const [{ id, highSchoolId: school }, createdAt] = [lead, Date.parse(lead.createdAt)]
      const year = 'user' in lead ? lead.user.highSchoolEnrollmentYear : NO_YEAR
      return { kind, id, school, createdAt, year, byPhone: 'sender' in lead && lead.sender.mode === 'phone' }
    }),
  )
  const known = all.filter(({ createdAt }) => createdAt <= now).sort((a, b) => b.createdAt - a.createdAt)
  const next = known[MOST_LEADS]
  return { leads: known.slice(0, MOST_LEADS), from: next ? addDays(stockholmDay(next.createdAt), 1) : FIRST_DAY }
}
