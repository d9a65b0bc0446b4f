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
/** She answers for admissions at all schools. */
const HEAD = 'Lena Forsgren'
/** He is away, so that what is assigned in turn passes him over. */
const AWAY = 'Erik Nyström'

export type Staff = {
  workers: readonly Colleague[]
  head: Colleague
  /** Whoever is away, and since and until when. */
  away: Colleague
  /** Who answers for a school. */
  of: (school: string) => readonly Colleague[]
}

/** Every school has two of the six; where there are few schools, each of the six has two. */
export function inventStaff(schools: readonly string[]): Staff {
  const [names, count] = [WORKERS.length, Math.max(1, schools.length)]
  const isFew = count < names
  const workers = WORKERS.map((name, place): Colleague => {
    const own = isFew
      ? schools.filter((_, index) => index === place % count || index === (place + 1) % count)
      : schools.filter((_, index) => index % names === place || (index + 1) % names === place)
    return { id: idOf(name), name, role: 'staff', schools: own }
  })
  const bySchool = new Map(
    schools.map((school) => [school, workers.filter((one) => one.schools.includes(school))] as const),
  )
  const away = workers.find(({ name }) => name === AWAY)
  if (away === undefined) throw new RangeError('nobody is away')
  const head: Colleague = { id: idOf(HEAD), name: HEAD, role: 'staff', schools: 'all' }
  return { workers, head, away, of: (school) => bySchool.get(school) ?? workers }
}

function idOf(name: string): string {
  return INVENTED + emailName(name)
}

function emailName(name: string): string {
  return name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(' ', '.')
}

/** Their accounts, of demo mode only; like the three that people sign in with, they are as documented after every start. */
export async function ensureColleagues(db: Db, { workers, head }: Staff, now: number): Promise<void> {
  const since = new Date(now - 3 * 365 * 86_400_000)
  const rows = [...workers, head].map((one) => ({
    ...one,
    schools: one.schools === 'all' ? ('all' as const) : [...one.schools],
    email: `${emailName(one.name)}@demo.test`,
    passwordHash: null,
    demo: true,
    activatedAt: since,
    createdAt: since,
  }))
  await db.insert(users).values(rows).onConflictDoNothing()
  for (const { id, role, schools } of rows) {
    await db.update(users).set({ role, schools, disabled: false }).where(eq(users.id, id))
  }
}

/** Away since the week before, for another one. */
export function leaveOf(today: string): { since: string; back: string } {
  return { since: addDays(today, -5), back: addDays(today, 9) }
}
