import 'server-only'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { SettingsError } from '@/server/env'
import { readSetting, writeSetting } from '@/server/settings/settings'
import { temporaryFolder } from '@/server/testing/folder'
import type { Connect } from './database'
import { settings } from './schema'
import { migrateChecked, migrationsFolder } from './migrations'

/** That code and tables know each other, on every database. */
export function schemaVersionSuite(connect: Connect): void {
  describe('the tables of a newer Intag', () => {
    const folder = temporaryFolder()
    const olderKnows = (when: number) => {
      mkdirSync(join(folder, 'meta'), { recursive: true })
      writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ entries: [{ tag: '0003_access', when }] }))
    }
    const startOlder = async (ran: string[] = []) =>
      migrateChecked(await connect(), folder, async () => void ran.push('migrated'))
    const said = async () => readSetting(await connect(), 'schema')
    beforeEach(async () => {
      await migrateChecked(await connect(), migrationsFolder(), async () => {})
    })

    test('say which code made them, and which may run on them', async () => {
      expect(await said()).toMatchObject({ migration: expect.stringMatching(/^\d{4}_/), when: expect.any(Number) })
    })

    test('are refused by older code in a sentence that names both, and nothing is tried', async () => {
      olderKnows(1)
      const ran: string[] = []
      await expect(startOlder(ran)).rejects.toThrow(SettingsError)
      await expect(startOlder(ran)).rejects.toThrow(
        /made by a newer Intag \(its tables: \d{4}_\w+; .* up to 0003_access\)/,
      )
      const db = await connect()
      await db.delete(settings).where(eq(settings.name, 'schema'))
      await expect(startOlder(ran)).rejects.toThrow(/one that is not known here/)
      expect(ran).toEqual([])
    })

    test('are used by older code that they say can, as after a way back', async () => {
      olderKnows(5)
      await writeSetting(await connect(), 'schema', { migration: '0009_later', when: 9, oldestCompatible: 5 }, 0)
      await startOlder()
      expect(await said()).toMatchObject({ migration: '0009_later' })
    })

    test('that could not be made are said to be as they were, and why', async () => {
      const failing = async () => Promise.reject(Object.assign(new Error('no'), { code: '42501' }))
      const failed = migrateChecked(await connect(), migrationsFolder(), failing)
      await expect(failed).rejects.toThrow(/could not be brought up to date.*stay as they were: the user lacks a right/)
      const away = async () => Promise.reject(Object.assign(new Error('no'), { code: '57P01' }))
      await expect(migrateChecked(await connect(), migrationsFolder(), away)).rejects.not.toThrow(SettingsError)
    })
  })
}
