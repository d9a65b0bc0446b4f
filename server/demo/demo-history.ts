import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS } from '@/lib/contract/lists'
import { leadKey } from '@/lib/leads/lead-key'
import { addDays, FIRST_DAY, stockholmDay } from '@/lib/time/stockholm'
import { listVisits, type mentions, type notes } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import type { Logger } from '@/server/logger'
import { monthsBefore } from '@/server/retention/purge'
import type { Services } from '@/server/services'
import type { DemoService } from '@/server/upstream/demo-service'
import { type DemoData, demoLeads, type Life, livesOf } from './lead-lives'
import { INVENTED, randomOf, type Scene, prepareScene } from './scene'
import texts from './texts.json'
import { writeDemoHistory } from './write-demo-history'

type Parts = Pick<Services, 'connect' | 'now' | 'users' | 'work' | 'seal' | 'scopes'> & {
  logger: Pick<Logger, 'info'>
  env: { demoPast: boolean; redisUrl: string | null; retentionMonths: number }
  demo: Pick<DemoService, 'schools' | 'data'> | null
}

const SPARE_MS = 2 * 86_400_000

/**
 * What invented colleagues did with the demo's leads, written before the lists are read. Leads get new times at
 * every start, and so does this; people's own changes stay. Not with Redis, where each instance invents its own
 * leads.
 */
export async function ensureDemoHistory(parts: Parts): Promise<void> {
  const { connect, env, demo, logger } = parts
  if (demo === null || !env.demoPast || env.redisUrl !== null) return
  const now = parts.now()
  const { leads, from } = newestLeads(await demo.data(), now)
  const db = await connect()
  const scene = await prepareScene({ ...parts, db }, { now, schools: demo.schools, from })
  const [desk, since] = [{ ...parts, scene }, new Date(monthsBefore(now, env.retentionMonths).getTime() + SPARE_MS)]
  await db.transaction(async (tx) => {
    await writeDemoHistory(tx, since, (touched) => {
      const untouched = leads.filter((lead) => !touched.has(leadKey(lead)))
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
    // So that later leads are new to the demo's accounts.
    const visits = [scene.guest.id, scene.admin].flatMap((userId) =>
      LEAD_LISTS.map((list) => ({ userId, list, lastSeenAt: new Date(scene.lastLookAt) })),
    )
    await tx.insert(listVisits).values(visits).onConflictDoNothing()
  })
  logger.info({ leads: leads.length, ms: parts.now() - now }, 'the demo has a past')
}

const MAX_LEADS = 20_000

function newestLeads(data: DemoData, now: number) {
  const all = demoLeads(data, { since: 0, until: now })
  const firstLeftOut = all[MAX_LEADS]
  return {
    leads: all.slice(0, MAX_LEADS),
    from: firstLeftOut ? addDays(stockholmDay(firstLeftOut.createdAt), 1) : FIRST_DAY,
  }
}

type DeskParts = Pick<Services, 'seal' | 'scopes'> & { scene: Scene }

const MAX_NOTES = 36
const NOTED_SINCE_MS = 21 * 86_400_000

/** On recently handled leads; the first in the guest's schools mentions the guest. */
function notesOf({ seal, scene: { now, guest } }: DeskParts, lives: readonly Life[]) {
  const noteRows: (typeof notes.$inferInsert)[] = []
  const mentionRows: (typeof mentions.$inferInsert)[] = []
  for (const { lead, attempts, triage } of lives) {
    const worked = triage.updatedAt.getTime()
    if (noteRows.length === MAX_NOTES || now - worked > NOTED_SINCE_MS) continue
    const random = randomOf(`note ${leadKey(lead)}`)
    const isBegun = triage.status === 'in-progress' && attempts.length > 0
    if (!isBegun && random() > 0.12) continue
    const isMention = mentionRows.length === 0 && guest.schools.includes(lead.school)
    const text = isMention ? texts.mention : (texts.notes[Math.floor(random() * texts.notes.length)] ?? '')
    const [id, at] = [`${INVENTED}note-${noteRows.length + 1}`, new Date(Math.min(now - 30_000, worked + 60_000))]
    const [of, sealedText] = [{ kind: lead.kind, leadId: lead.id }, seal.encrypt(text, placeOf.note(id))]
    noteRows.push({ id, ...of, authorId: triage.updatedBy, sealedText, createdAt: at })
    if (isMention) mentionRows.push({ noteId: id, userId: guest.id, ...of, at })
  }
  return { notes: noteRows, mentions: mentionRows }
}

function viewsOf({ seal, scene: { hours, now, workers, head } }: DeskParts) {
  return texts.views.map(({ by, name, query, ...given }, place) => {
    const [id, list] = [`${INVENTED}view-${place + 1}`, given.list as LeadList]
    const { id: ownerId, schools: reach } = (by === 'worker' && workers[0]) || head
    const sealedView = seal.encrypt(JSON.stringify({ name, query }), placeOf.savedView(id))
    const createdAt = new Date((hours.starts[29] ?? now) + (95 + place * 4) * 60_000)
    return { id, ownerId, list, sealedView, reach, shared: true, createdAt }
  })
}

const EXPORTED = 60

/** Each contains what had arrived by then at the user's schools. */
function exportsOf({ seal, scopes, scene }: DeskParts, lives: readonly Life[]) {
  const { hours, head, guest, admin, schools, now } = scene
  const users: Record<string, string> = { guest: guest.id, admin, head: head.id }
  return texts.exports.map(({ by, daysAgo, purpose, ...given }, place) => {
    const [id, userId] = [`${INVENTED}export-${place + 1}`, users[by] ?? admin]
    const [list, format] = [given.list as LeadList, given.format as 'xlsx' | 'csv']
    const at = (hours.starts[daysAgo] ?? now) + (130 + place * 47) * 60_000
    const own = by === 'guest' ? guest.schools : schools
    const isOf = ({ kind, createdAt, school }: Life['lead']) =>
      kind === LISTS[list].kind && createdAt < at && own.includes(school)
    const leads = lives.filter(({ lead }) => isOf(lead)).slice(0, EXPORTED - place * 4)
    const leadIds = leads.map(({ lead }) => lead.id)
    const matching = { list, school: own.slice(0, 2) }
    const sealedReason = seal.encrypt(JSON.stringify({ purpose, matching, newOnly: false }), placeOf.export(id))
    const what = {
      list,
      format,
      columns: texts.columns[list],
      count: leadIds.length,
      scope: scopes.of({ list, matching, format }),
      leadIds,
    }
    const ended = { state: 'finished' as const, written: leadIds.length, endedAt: new Date(at + 2_000) }
    return { id, userId, at: new Date(at), ...what, ...ended, sealedReason }
  })
}

const SIGNED_IN_DAYS = 20

function signInsOf({ hours, workers, head, isThere, now }: Scene) {
  const all = hours.starts.slice(0, SIGNED_IN_DAYS).flatMap((start) =>
    [...workers, head].flatMap(({ id: userId }) => {
      const random = randomOf(`${userId} ${start}`)
      if (!isThere(userId, start)) return []
      const [came, left] = [start - random() * 1_500_000, start + (440 + random() * 60) * 60_000]
      return [
        { at: new Date(came), userId, action: 'sign-in', details: { with: 'password' } },
        { at: new Date(left), userId, action: 'sign-out' },
      ]
    }),
  )
  return all.filter(({ at }) => at.getTime() < now)
}
