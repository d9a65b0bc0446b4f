import 'server-only'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connect } from '@/server/base/database'
import { settings, users } from '@/server/base/schema'
import { SettingsError } from '@/server/base/env'
import { createSeal } from '@/server/base/seal'
import { testServices } from '@/server/testing/services'
import { claimDatabase } from './database-identity'

const OLD = new Uint8Array(32).fill(1)
const NEW = new Uint8Array(32).fill(2)
const OTHER = new Uint8Array(32).fill(3)

/** That a database knows whose it is, and its key, on every database. */
export function dataKeySuite(connect: Connect): void {
  describe('the mode and the key of a database', () => {
    type Mode = 'demo' | 'connected'
    const servicesOf = (
      current: Uint8Array,
      previous: Uint8Array | null,
      { mode = 'connected', databaseUrl = null }: { mode?: Mode | undefined; databaseUrl?: string | null } = {},
    ) => {
      const dataKeys = { current, previous }
      return testServices({ connect, env: { mode, databaseUrl }, seal: createSeal(dataKeys), now: () => 0 })
    }
    const start = (current: Uint8Array, previous: Uint8Array | null = null, mode?: Mode) =>
      claimDatabase(servicesOf(current, previous, { mode }))
    const startAs = (mode: Mode, databaseUrl: string | null = null) =>
      claimDatabase(servicesOf(OLD, null, { mode, databaseUrl }))
    beforeEach(async () => {
      const db = await connect()
      await db.delete(settings)
      await db.delete(users)
    })

    test.each(['demo', 'connected'] as const)('is that of its first start: %s', async (mode) => {
      await startAs(mode)
      await startAs(mode)
      await expect(startAs(mode === 'demo' ? 'connected' : 'demo')).rejects.toThrow(SettingsError)
      await startAs(mode)
    })

    test('of the other mode is refused in one sentence that names the setting', async () => {
      await startAs('connected')
      await expect(startAs('demo')).rejects.toThrow(/DATA_DIR holds the data of a real service.*set LEADS_API_URL/)
      await expect(startAs('demo', 'postgres://x')).rejects.toThrow(/DATABASE_URL holds the data of a real service/)
    })

    test('that keeps none yet, and has real people, is that of production', async () => {
      const boss = { id: 'boss', email: 'boss@skola.example', name: 'X', role: 'admin', schools: 'all' } as const
      await (await connect()).insert(users).values({ ...boss, createdAt: new Date() })
      await expect(startAs('demo')).rejects.toThrow(SettingsError)
      await startAs('connected')
    })

    test('is that of its first start; with another nothing starts, and one sentence says what to do', async () => {
      await start(OLD)
      await start(OLD)
      await expect(start(NEW)).rejects.toThrow(SettingsError)
      await expect(start(NEW)).rejects.toThrow(/DATA_KEY is not the key.*the key of before behind a comma/)
      await expect(start(NEW, OTHER)).rejects.toThrow(SettingsError)
      await start(OLD)
    })

    test('may be changed while the key of before is named, also from instance to instance', async () => {
      await start(OLD)
      await start(OLD, NEW)
      await start(NEW, OLD)
      await expect(start(NEW)).rejects.toThrow(SettingsError)
    })

    const several: [string, (which: number) => Promise<void>][] = [
      ['key', (which) => start(which === 1 ? NEW : OLD)],
      ['mode', (which) => startAs(which === 1 ? 'connected' : 'demo')],
    ]
    test.each(several)('of several that are first at once, one %s wins', async (_, first) => {
      const outcomes = await Promise.allSettled([first(0), first(1), first(2)])
      const isIn = outcomes.map(({ status }) => status === 'fulfilled')
      expect([isIn[0], isIn[2]]).toEqual([!isIn[1], !isIn[1]])
    })

    test('of a demo whose secrets were deleted says so', async () => {
      await start(OLD, null, 'demo')
      await expect(start(NEW, null, 'demo')).rejects.toThrow(/demo-secrets\.json was deleted or replaced/)
    })
  })
}
