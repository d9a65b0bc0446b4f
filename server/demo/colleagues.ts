import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { command } from '@/server/access/command'
import { allow, makeViewer, type Viewer } from '@/server/access/viewer'
import { activity, attempts } from '@/server/db/schema'
import type { Services } from '@/server/services'
import { changeLeads, lockTriage } from '@/server/triage/write-triage'
import type { DemoService } from '@/server/upstream/demo-service'
import { type DemoLead, demoLeads, nextDecisions, type NextDecision } from './lead-lives'
import { INVENTED, readScene } from './scene'

type Parts = Pick<Services, 'connect' | 'now' | 'users' | 'work' | 'activity'> & {
  triage: Pick<Services['triage'], 'current'>
  presence: Pick<Services['presence'], 'peopleAt'>
  announcer: Pick<Services['announcer'], 'triage'>
  env: { demoPast: boolean; redisUrl: string | null }
  demo: Pick<DemoService, 'schools' | 'data'> | null
}

const SINCE_MS = 21 * 86_400_000
const AT_ONCE = 2

/**
 * The invented colleagues go on working, so that what waits stays a day's work: two leads a round. Never those that
 * a person has decided about, is assigned or has open.
 */
export function createColleagues(parts: Parts) {
  const { demo, env, now } = parts
  const isInvented = (id: string | null | undefined) => id == null || id.startsWith(INVENTED)
  const isFree = (entry: TriageEntry | undefined) =>
    entry === undefined ||
    [entry.assigneeId, entry.updatedById, ...(entry.attempts ?? []).map(({ userId }) => userId)].every(isInvented)
  return async function work(): Promise<void> {
    if (demo === null || !env.demoPast || env.redisUrl !== null) return
    const scene = await readScene(parts, { now: now(), schools: demo.schools })
    const entries = {
      'asked-question': await parts.triage.current('asked-question'),
      'declaration-of-interest': await parts.triage.current('declaration-of-interest'),
    }
    const entryOf = ({ kind, id }: DemoLead) => entries[kind].get(id)
    const recent = demoLeads(await demo.data(), { since: now() - SINCE_MS, until: now() })
    const free = recent.filter((lead) => isFree(entryOf(lead)))
    const isBegun = (lead: DemoLead) => entryOf(lead)?.status === 'in-progress'
    const mayDo = ({ lead }: NextDecision) =>
      ['new', 'in-progress'].includes(entryOf(lead)?.status ?? 'new') && parts.presence.peopleAt(lead).length === 0
    const people = new Map((await parts.users.list()).map((user) => [user.id, user]))
    for (const next of nextDecisions(scene, free, isBegun).filter(mayDo).slice(0, AT_ONCE)) {
      const entry = entryOf(next.lead)
      const person = people.get(entry?.assigneeId ?? next.by)
      if (person) await act(parts, makeViewer(person), next, entry)
    }
  }
}

/** Does nothing if a person came first, or the lead was erased. */
async function act(parts: Parts, viewer: Viewer, { lead, decision, until }: NextDecision, entry?: TriageEntry) {
  const { kind, id, school } = lead
  const assignee = decision.assignee && { assigneeId: viewer.id }
  allow(viewer, 'leads:triage')
  await command(parts, viewer, 'leads:reply', async (tx, log) => {
    log.nothing()
    await lockTriage(tx, viewer, 'one')
    const isErased = and(eq(activity.leadKind, kind), eq(activity.leadId, id), eq(activity.action, 'data-erased'))
    if ((await tx.$count(activity, isErased)) > 0) return
    const fields = { status: decision.to, ...assignee, ...(until !== undefined && { snoozeUntil: until }) }
    const asSeen = { kind, id, updatedAt: entry?.updatedAt ?? null }
    const { logged } = await changeLeads(tx, viewer.id, [asSeen], fields)
    if (logged === null || !decision.attempt) return
    const row = { kind, leadId: id, userId: viewer.id, at: logged.at, ...decision.attempt }
    const [made] = await tx.insert(attempts).values(row).returning({ id: attempts.id })
    await log({
      action: 'attempt-logged',
      lead: { kind, id },
      details: { attempt: made?.id ?? 0, ...decision.attempt },
    })
  })
  parts.announcer.triage(kind, viewer.id, [school])
}
