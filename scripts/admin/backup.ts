import { existsSync } from 'node:fs'
import { copyFile, constants, open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AboutBackup, checkBackup, restoreBackup, writeBackup } from '@/server/db/backup'
import { FolderInUseError } from '@/server/db/folder-lock'
import type { CopiedTable } from '@/server/db/table-copy'
import { askRunning, NobodyAnswersError } from '@/server/operations/console-socket'
import { services } from '@/server/services'
import { type AdminCommand, argumentsOf, withServices } from './command'
import { refuseOthers } from './others'
import { inColumns } from './table'

export const backup: AdminCommand = {
  usage: 'backup FILE [--verify]',
  says: 'writes everything that is kept to a new file, sealed with DATA_KEY, while Intag goes on',
  more: [
    'The file (0600) holds every table but sessions, open links, known browsers and refused tries, as of one moment, and is',
    'read back before the command ends. --verify only reads one that is there and says what is in it. Keep DATA_KEY apart',
    'from it: without the key nobody can read it. On PGlite everybody waits while it is written.',
  ].join('\n'),
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { verify: { type: 'boolean' } })
    const path = resolve(named[0] ?? '')
    const { dataKeys } = services()
    if (values.verify !== true) {
      if (existsSync(path)) throw new Error(`There is a file ${path} already.`)
      await make(path)
    }
    return described(path, await checkBackup(path, dataKeys))
  },
}

async function make(path: string): Promise<void> {
  const parts = services()
  try {
    await withServices(async () => {
      const { rows } = await writeBackup(await parts.connect(), path, { ...parts, mode: parts.env.mode })
      // After it, not in it: a backup says nothing of itself.
      await parts.activity.record({ userId: null, action: 'backup-made', details: { rows, console: true } })
      return ''
    })
  } catch (error) {
    const inUse = error instanceof Error && error.cause instanceof FolderInUseError
    if (!inUse) throw error
    await fetchFromRunning(parts.env.dataDir, path).catch((other: unknown) => {
      throw other instanceof NobodyAnswersError ? error : other
    })
  }
}

/** The process that has PGlite open writes it into its folder; from there it goes where it is wanted. */
async function fetchFromRunning(dataDir: string, path: string): Promise<void> {
  const made = await askRunning(dataDir, 'backup')
  try {
    await (await open(path, 'wx', 0o600)).close()
    await rename(made.path, path).catch(async () => {
      await rm(path)
      await copyFile(made.path, path, constants.COPYFILE_EXCL)
    })
  } finally {
    await rm(made.path, { force: true })
  }
}

function described(path: string, { about, tables }: { about: AboutBackup; tables: readonly CopiedTable[] }): string {
  const rows = tables.filter((table) => table.rows > 0).map(({ table, rows: count }) => [table, String(count)])
  return [
    `${path} is whole: ${total(tables)} rows of ${about.madeAt}, Intag ${about.release}, ${about.mode}, key ${about.key}.`,
    inColumns([['table', 'rows'], ...rows]),
  ].join('\n')
}

function total(tables: readonly CopiedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

export const restore: AdminCommand = {
  usage: 'restore FILE [--replace]',
  says: 'puts a backup in the place of an empty database; --replace: of whatever is there. Intag must be stopped',
  more: [
    'The whole file is read before anything is changed, and everything is changed at once or not at all. Afterwards',
    'everybody signs in again, and open links must be made anew. A backup of PGlite may be restored into PostgreSQL and the',
    'other way round. A backup from before DATA_KEY was changed opens with DATA_KEY_PREVIOUS; run reseal afterwards. What',
    'was taken away from somebody after the backup was made is theirs again: look through users.',
  ].join('\n'),
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { replace: { type: 'boolean' } })
    const path = resolve(named[0] ?? '')
    const { dataKeys, env } = services()
    const { about } = await checkBackup(path, dataKeys)
    return withServices(async ({ connect, activity, sealer }) => {
      const db = await connect()
      await refuseOthers(db, env.databaseUrl)
      const given = { mode: env.mode, dataKeys, replace: values.replace === true }
      const tables = await restoreBackup(db, path, given).catch((error: unknown) => {
        throw given.replace || !(error instanceof Error) || !error.message.includes('not empty')
          ? error
          : new Error(`${error.message} With --replace all of it gives way to the backup.`)
      })
      const details = { madeAt: about.madeAt, rows: total(tables), console: true }
      await activity.record({ userId: null, action: 'backup-restored', details })
      // What was not sealed yet when the backup was made.
      await sealer.sealLast()
      return `${described(path, { about, tables })}\nAll of it is in the database now, compared row by row. Start Intag; everybody signs in again.`
    })
  },
}
