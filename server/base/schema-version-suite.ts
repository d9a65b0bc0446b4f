import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@/server/testing/folder'
import type { Connect } from './database'
import { SettingsError } from './env'
import { migrateChecked } from './migrations'

/** Tests which databases Intag refuses when it starts, and with which words. */
export function schemaVersionSuite(connect: Connect): void {
  const folder = temporaryFolder()

  test('the tables of a newer Intag are refused by older code, and nothing is tried', async () => {
    mkdirSync(join(folder, 'meta'))
    const older = { entries: [{ tag: '0003_access', when: 1 }] }
    writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify(older))
    const started = migrateChecked(await connect(), () => Promise.reject(new Error('migrated')), folder)
    await expect(started).rejects.toThrow(SettingsError)
    await expect(started).rejects.toThrow(/made by a newer Intag \(.* up to 0003_access\)/)
  })

  test('tables that cannot be changed are said to be as they were, and why; an outage is none of that', async () => {
    const failing = async () => Promise.reject(Object.assign(new Error('no'), { code: '42501' }))
    const failed = migrateChecked(await connect(), failing)
    await expect(failed).rejects.toThrow(/could not be brought up to date.*stay as they were: the user lacks a right/)
    const away = async () => Promise.reject(Object.assign(new Error('no'), { code: '57P01' }))
    await expect(migrateChecked(await connect(), away)).rejects.not.toThrow(SettingsError)
  })
}
