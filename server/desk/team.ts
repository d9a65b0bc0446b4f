import 'server-only'
import { and, gt, inArray, isNull, max } from 'drizzle-orm'
import type { Colleague } from '@/lib/contract/day'
import { awayUntil } from '@/lib/contract/work-settings'
import { stockholmDay } from '@/lib/time/stockholm'
import { type Allowed, may, maySee } from '@/server/access/viewer'
import { sessions } from '@/server/db/access-schema'
import type { Connect } from '@/server/db/database'
import { isDatabaseUnreachable } from '@/server/db/trouble'
import { knownSchools, type SchoolParts } from '@/server/leads/high-schools'
import type { Work } from '@/server/settings/work'
import { listPeople } from '@/server/users/people'
import type { Users } from '@/server/users/users'

export type TeamParts = SchoolParts & {
  connect: Connect
  now: () => number
  users: Pick<Users, 'list'>
  work: Pick<Work, 'settings'>
}

/** Whoever did something in so many minutes is here. */
const HERE_MS = 10 * 60_000
/** More than anybody reads. */
const MOST_COLLEAGUES = 100

/**
 * Who works on leads of the same schools: those who are here first, then by how much they have left. While the database cannot be
 * read nobody is named, and the numbers stand without it.
 */
export async function teamOf(
  parts: TeamParts,
  viewer: Allowed<'leads:read'>,
  leftOf: (userId: string) => number,
): Promise<Colleague[]> {
  if (!may(viewer, 'leads:triage')) return []
  try {
    const [{ people }, { leave, standing }] = await Promise.all([listPeople(parts, viewer), parts.work.settings()])
    const here = await lastUses(
      parts,
      people.map(({ id }) => id),
    )
    const today = stockholmDay(parts.now())
    const names = new Map(knownSchools(parts).map(({ id, name }) => [id, name]))
    const schoolsOf = new Map<string, string[]>()
    for (const [school, ids] of Object.entries(standing)) {
      if (!maySee(viewer, school)) continue
      for (const id of new Set(ids)) {
        const its = schoolsOf.get(id) ?? []
        schoolsOf.set(id, its)
        its.push(names.get(school) ?? school)
      }
    }
    const team = people.map(({ id, name }): Colleague => ({
      id,
      name,
      left: leftOf(id),
      here: here.get(id)?.toISOString() ?? null,
      backOn: awayUntil(leave, id, today),
      standsFor: schoolsOf.get(id) ?? [],
    }))
    return team.toSorted(byPresence).slice(0, MOST_COLLEAGUES)
  } catch (error) {
    if (isDatabaseUnreachable(error)) return []
    throw error
  }
}

function byPresence(a: Colleague, b: Colleague): number {
  return Number(b.here !== null) - Number(a.here !== null) || b.left - a.left || (a.name < b.name ? -1 : 1)
}

/** When each of these people last did something, if that was just now. */
async function lastUses({ connect, now }: TeamParts, ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (ids.length === 0) return new Map()
  const db = await connect()
  const rows = await db
    .select({ id: sessions.userId, at: max(sessions.lastUsedAt) })
    .from(sessions)
    .where(
      and(
        inArray(sessions.userId, [...ids]),
        isNull(sessions.endedAt),
        gt(sessions.lastUsedAt, new Date(now() - HERE_MS)),
      ),
    )
    .groupBy(sessions.userId)
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at]])))
}
