import 'server-only'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connect } from '@/server/db/database'
import { users } from '@/server/db/schema'
import { sealedColumns } from '@/server/db/sealed-columns'
import { SettingsError } from '@/server/env'
import { createSeal } from '@/server/seal'
import { createUsers } from '@/server/users/users'
import { claimDatabase } from './database-mode'

const dataKeys = { current: new Uint8Array(32), previous: null }

/** That a database knows whose it is, on every database. */
export function databaseModeSuite(db: Connect): void {
  describe('the mode of a database', () => {
    const start = (mode: 'demo' | 'connected', databaseUrl: string | null = null) =>
      claimDatabase({ connect: db, env: { mode, databaseUrl }, dataKeys, seal: createSeal(dataKeys), now: () => 0 })
    const person = { name: 'X', role: 'admin', schools: 'all', passwordHash: null } as const
    const addPerson = async (email: string) =>
      createUsers({ connect: db, now: () => 0, demo: false }).create(await db(), { ...person, email })
    const addDemo = () =>
      createUsers({ connect: db, now: () => 0, demo: true }).restoreDemo({ ...person, email: 'admin@demo.test' })

    const clean = async () => {
      const database = await db()
      for (const { table } of sealedColumns) await database.delete(table)
      await database.delete(users)
    }
    beforeEach(clean)

    test.each(['demo', 'connected'] as const)('is that of its first start: %s', async (mode) => {
      await start(mode)
      await start(mode)
      await expect(start(mode === 'demo' ? 'connected' : 'demo')).rejects.toThrow(SettingsError)
      await start(mode)
    })

    test('is said in one sentence that names the setting', async () => {
      await start('connected')
      await expect(start('demo')).rejects.toThrow(/DATA_DIR holds the data of a real service.*set LEADS_API_URL/)
      await expect(start('demo', 'postgres://x')).rejects.toThrow(/DATABASE_URL holds the data of a real service/)
    })

    test('of before it was kept is told by who is in it', async () => {
      await addPerson('boss@skola.example')
      await expect(start('demo')).rejects.toThrow(SettingsError)
      await clean()
      await addDemo()
      await expect(start('connected')).rejects.toThrow(SettingsError)
      await start('demo')
    })

    test('where a demo was started on production by mistake is production’s', async () => {
      await addPerson('boss@skola.example')
      await addDemo()
      await expect(start('demo')).rejects.toThrow(/accounts of a demo and people who were added.*the demo begins anew/)
      await start('connected')
    })

    test('of several that are first at once, one mode wins', async () => {
      const outcomes = await Promise.allSettled([start('demo'), start('connected'), start('demo')])
      const isIn = outcomes.map(({ status }) => status === 'fulfilled')
      expect([isIn[0], isIn[2]]).toEqual([!isIn[1], !isIn[1]])
    })
  })
}
