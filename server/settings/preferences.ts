import 'server-only'
import { and, eq } from 'drizzle-orm'
import { type Preference, type PreferenceName, preferenceSchemas } from '@/lib/contract/preferences'
import { command, type CommandParts } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { preferences } from '@/server/db/schema'
import { NotFoundError } from '@/server/errors'
import { parseInput } from '@/server/http/input'

type AnyPreference = Preference<PreferenceName>

/** What the viewer chose; null when nothing, and when what was chosen no longer fits. NotFoundError for no such choice. */
export async function getPreference(
  { connect }: { connect: Connect },
  viewer: Viewer,
  { name }: { name: string },
): Promise<{ value: AnyPreference | null }> {
  const schema = schemaOf(name)
  const db = await connect()
  const mine = and(eq(preferences.userId, viewer.id), eq(preferences.name, name))
  const [row] = await db.select({ value: preferences.value }).from(preferences).where(mine)
  const { data } = schema.safeParse(row?.value)
  return { value: data ?? null }
}

/** Keeps what the viewer chose. NotFoundError for no such choice, InvalidInputError for a value it cannot have. */
export async function setPreference(
  parts: CommandParts,
  viewer: Viewer,
  { name, value: given }: { name: string; value: unknown },
): Promise<{ value: AnyPreference }> {
  const value = parseInput(schemaOf(name), given, 'value')
  return command(parts, viewer, 'signed-in', async (tx, log) => {
    await tx
      .insert(preferences)
      .values({ userId: viewer.id, name, value })
      .onConflictDoUpdate({ target: [preferences.userId, preferences.name], set: { value } })
    // How somebody likes their lists is no business of the log.
    log.nothing()
    return { value }
  })
}

function schemaOf(name: string) {
  if (!isName(name)) throw new NotFoundError()
  return preferenceSchemas[name]
}

function isName(name: string): name is PreferenceName {
  return Object.hasOwn(preferenceSchemas, name)
}
