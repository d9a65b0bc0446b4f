import 'server-only'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { OpenDatabase } from './open-database'
import { upstreamRequests } from './schema'

/** `open` opens the same database each time. */
export function migrationsSuite(open: () => Promise<OpenDatabase>): void {
  test('a second start keeps what was written and migrates nothing again', async () => {
    const first = await open()
    await first.db.insert(upstreamRequests).values({ sentAt: 1_790_000_000_123, purpose: 'asked-questions' })
    const applied = await countMigrations(first)
    await first.close()

    const second = await open()
    const rows = await second.db.select().from(upstreamRequests)
    const appliedThen = await countMigrations(second)
    await second.close()

    expect(rows).toMatchObject([{ sentAt: 1_790_000_000_123, finishedAt: null, purpose: 'asked-questions' }])
    expect(applied).toBeGreaterThan(0)
    expect(appliedThen).toBe(applied)
  })
}

async function countMigrations({ db }: OpenDatabase): Promise<number> {
  return db.$count(sql`drizzle.__drizzle_migrations`)
}
