import 'server-only'
import type { Services } from '@/server/base/services'
import { and, eq, sql } from 'drizzle-orm'
import { type Preference, type PreferenceName, preferenceSchemas } from '@/lib/contract/settings'
import { command } from '@/server/access/command'
import { may, type Viewer } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/base/database'
import { preferences } from '@/server/base/schema'
import { NotFoundError } from '@/server/base/errors'
import { parseInput } from '@/server/base/parse-input'
import type { Work } from '@/server/leads/work'

export async function getPreference({ connect }: { connect: Connect }, viewer: Viewer, { name }: { name: string }) {
  const schema = schemaOf(name)
  const db = await connect()
  const query = queries.get(db) ?? ownValue(db)
  queries.set(db, query)
  const [row] = await query.execute({ userId: viewer.id, name })
  const { data } = schema.safeParse(row?.value)
  return { value: data ?? null }
}

/** Building the SQL takes as long as the query, so it is built once. Unnamed: a pooler may switch connections. */
function ownValue(db: Db) {
  const [userId, name] = [sql.placeholder('userId'), sql.placeholder('name')]
  const mine = and(eq(preferences.userId, userId), eq(preferences.name, name))
  return db.select({ value: preferences.value }).from(preferences).where(mine).prepare('')
}

const queries = new WeakMap<Db, ReturnType<typeof ownValue>>()

export async function setPreference(
  services: Services,
  viewer: Viewer,
  { name, value: given }: { name: string; value: unknown },
): Promise<{ value: Preference<PreferenceName> }> {
  const value = parseInput(schemaOf(name), given, 'value')
  return command(services, viewer, 'signed-in', async (tx, log) => {
    await tx
      .insert(preferences)
      .values({ userId: viewer.id, name, value })
      .onConflictDoUpdate({ target: [preferences.userId, preferences.name], set: { value } })
    // Preferences are not logged.
    log.nothing()
    return { value }
  })
}

function schemaOf(name: string) {
  const isName = (one: string): one is PreferenceName => Object.hasOwn(preferenceSchemas, one)
  if (!isName(name)) throw new NotFoundError()
  return preferenceSchemas[name]
}

/** Until an administrator has chosen from when leads are work. */
export async function isFirstDay({ work }: { work: Pick<Work, 'settings'> }, viewer: Viewer) {
  return may(viewer, 'admin') && (await work.settings()).work === null
}
