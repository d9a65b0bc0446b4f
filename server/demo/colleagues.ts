import 'server-only'
import { eq } from 'drizzle-orm'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { addDays } from '@/lib/time/stockholm'
import type { Db } from '@/server/db/database'
import { users } from '@/server/db/schema'

/** What the ids of everything invented begin with, so that it is known from what people did by hand. */
export const INVENTED = 'demo-'

export type Colleague = { id: string; name: string; role: Role; schools: SchoolScope }

/** Who works at the invented schools; nobody can sign in as them, for they have no password. */
const WORKERS = ['Karin Ek', 'Jonas Sandberg', 'Fatima Haddad', 'Erik Nyström', 'Maria Hellström', 'Ali Rezai'] as const
/** He is away, so that what is assigned in turn passes him over. */
export const AWAY = idOf('Erik Nyström')
/** She answers for admissions at all schools. */
const HEAD = 'Lena Forsgren'

/** `of` answers who works at a school. */
export type Staff = { workers: readonly Colleague[]; head: Colleague; of: (school: string) => readonly Colleague[] }

/** Every school has two of the six; where there are few schools, each of the six has two. */
export function inventStaff(schools: readonly string[]): Staff {
  const count = Math.min(WORKERS.length, Math.max(1, schools.length))
  const isAt = (worker: number, school: number) =>
    schools.length < WORKERS.length
      ? school === worker % count || school === (worker + 1) % count
      : school % count === worker || (school + 1) % count === worker
  const workers = WORKERS.map((name, worker): Colleague => {
    return { id: idOf(name), name, role: 'staff', schools: schools.filter((_, school) => isAt(worker, school)) }
  })
  const bySchool = new Map(
    schools.map((school, place) => [school, workers.filter((_, worker) => isAt(worker, place))] as const),
  )
  const head: Colleague = { id: idOf(HEAD), name: HEAD, role: 'staff', schools: 'all' }
  return { workers, head, of: (school) => bySchool.get(school) ?? workers }
}

function idOf(name: string): string {
  return INVENTED + addressName(name, '.')
}

/** A name as addresses have it. */
export function addressName(name: string, between: string): string {
  const plain = name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  return plain.match(/[a-z0-9]+/g)?.join(between) ?? ''
}

/** Their accounts, of demo mode only; like the three that people sign in with, they are as documented after every start. */
export async function ensureColleagues(db: Db, { workers, head }: Staff, now: number): Promise<void> {
  const since = new Date(now - 3 * 365 * 86_400_000)
  const rows = [...workers, head].map((one) => ({
    ...one,
    email: `${addressName(one.name, '.')}@demo.test`,
    demo: true,
    activatedAt: since,
    createdAt: since,
  }))
  await db.insert(users).values(rows).onConflictDoNothing()
  for (const { id, role, schools } of rows)
    await db.update(users).set({ role, schools, disabled: false }).where(eq(users.id, id))
}

/** Away since the week before, for another one. */
export function leaveOf(today: string): { since: number; back: string } {
  return { since: Date.parse(addDays(today, -5)), back: addDays(today, 9) }
}
