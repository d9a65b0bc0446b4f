import { and, eq } from 'drizzle-orm'
import { type PreferenceName, preferenceSchemas } from '@/lib/contract/settings'
import { executeCommand } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import { NotFoundError } from '@/server/base/errors'
import { parseInput } from '@/server/base/parse-input'
import { preferences } from '@/server/base/schema'
import type { Services } from '@/server/base/services'

/** Returns the viewer's choice; null if this release can read none. Throws NotFoundError for an unknown name. */
export async function getPreference({ connect }: Services, viewer: Viewer, { name }: { name: string }) {
  const schema = getSchema(name)
  const db = await connect()
  const isChoice = and(eq(preferences.userId, viewer.id), eq(preferences.name, name))
  const [row] = await db.select({ value: preferences.value }).from(preferences).where(isChoice)
  return { value: schema.safeParse(row?.value).data ?? null }
}

export async function setPreference(services: Services, viewer: Viewer, input: { name: string; value: unknown }) {
  const { name } = input
  const value = parseInput(getSchema(name), input.value, 'value')
  return executeCommand(services, viewer, 'signed-in', async (tx, log) => {
    // The activity log has nothing that concerns the user alone.
    log.skip()
    const onConflict = { target: [preferences.userId, preferences.name], set: { value } }
    await tx.insert(preferences).values({ userId: viewer.id, name, value }).onConflictDoUpdate(onConflict)
    return { value }
  })
}

function getSchema(name: string) {
  if (!Object.hasOwn(preferenceSchemas, name)) throw new NotFoundError()
  return preferenceSchemas[name as PreferenceName]
}
