import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { placeOf } from '@/server/db/sealed-columns'
import type { mentions, notes } from '@/server/db/schema'
import type { Services } from '@/server/services'
import type { Life } from './lead-lives'
import { INVENTED, type Scene } from './scene'
import texts from './texts.json'
import { luckOf } from './working-hours'

type Parts = Pick<Services, 'seal' | 'scopes'> & { scene: Scene }

const MOST_NOTES = 36
const NOTED_SINCE_MS = 21 * 86_400_000

/** On leads that were worked on lately; the first in the guest's schools asks the staff account to take over. */
export function notesOf({ seal, scene: { now, guest } }: Parts, lives: readonly Life[]) {
  const noted: (typeof notes.$inferInsert)[] = []
  const named: (typeof mentions.$inferInsert)[] = []
  for (const { lead, attempts, triage } of lives) {
    const worked = triage.updatedAt.getTime()
    if (noted.length === MOST_NOTES || now - worked > NOTED_SINCE_MS) continue
    const luck = luckOf(`note ${lead.kind} ${lead.id}`)
    const isBegun = triage.status === 'in-progress' && attempts.length > 0
    if (!isBegun && luck() > 0.12) continue
    const isMention = named.length === 0 && guest.schools.includes(lead.school)
    const text = isMention ? texts.mention : (texts.notes[Math.floor(luck() * texts.notes.length)] ?? '')
    const [id, at] = [`${INVENTED}note-${noted.length + 1}`, new Date(Math.min(now - 30_000, worked + 60_000))]
    const [of, sealedText] = [{ kind: lead.kind, leadId: lead.id }, seal.close(text, placeOf.note(id))]
    noted.push({ id, ...of, authorId: triage.updatedBy, sealedText, createdAt: at })
    if (isMention) named.push({ noteId: id, userId: guest.id, ...of, at })
  }
  return { notes: noted, mentions: named }
}

/** Shared with those who see as much: what the first worker shares, the staff account sees. */
export function viewsOf({ seal, scene: { hours, now, workers, head } }: Parts) {
  return texts.views.map(({ by, name, query, ...given }, place) => {
    const [id, list] = [`${INVENTED}view-${place + 1}`, given.list as LeadList]
    const { id: ownerId, schools: reach } = (by === 'worker' && workers[0]) || head
    const sealedView = seal.close(JSON.stringify({ name, query }), placeOf.savedView(id))
    const createdAt = new Date((hours.starts[29] ?? now) + (95 + place * 4) * 60_000)
    return { id, ownerId, list, sealedView, reach, shared: true, createdAt }
  })
}

const EXPORTED = 60

/** Files for what schools take them for, each of what had come by then to the schools of the person who took it. */
export function exportsOf({ seal, scopes, scene }: Parts, lives: readonly Life[]) {
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
    const sealedReason = seal.close(JSON.stringify({ purpose, matching, newOnly: false }), placeOf.export(id))
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

/** In the morning, and out in the afternoon; who is away stays away. */
export function signInsOf({ hours, workers, head, isThere, now }: Scene) {
  const all = hours.starts.slice(0, SIGNED_IN_DAYS).flatMap((start) =>
    [...workers, head].flatMap(({ id: userId }) => {
      const luck = luckOf(`${userId} ${start}`)
      if (!isThere(userId, start)) return []
      const [came, left] = [start - luck() * 1_500_000, start + (440 + luck() * 60) * 60_000]
      return [
        { at: new Date(came), userId, action: 'sign-in', details: { with: 'password' } },
        { at: new Date(left), userId, action: 'sign-out' },
      ]
    }),
  )
  return all.filter(({ at }) => at.getTime() < now)
}
