import 'server-only'
import { randomUUID } from 'node:crypto'
import type { Connect } from '@/server/db/db'
import { replyTemplates, settings } from '@/server/db/schema'
import { firstTemplates } from './first-templates'

const MADE = 'first-templates-made'

/** Makes the first templates once in the life of a database: whoever deletes them does not get them back. */
export async function ensureFirstTemplates(connect: Connect, now: () => number): Promise<void> {
  const updatedAt = new Date(now())
  const db = await connect()
  await db.transaction(async (tx) => {
    const made = await tx
      .insert(settings)
      .values({ name: MADE, value: true, updatedAt })
      .onConflictDoNothing()
      .returning()
    if (made.length === 0) return
    await tx.insert(replyTemplates).values(firstTemplates.map((one) => ({ ...one, id: randomUUID(), updatedAt })))
  })
}
