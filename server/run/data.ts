import 'server-only'
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync } from 'node:fs'
import { constants, copyFile, open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { restoreBackup, writeBackup } from './backup'
import { startedServices } from './services'
import { claimDatabase } from './database-identity'
import { type AdminCommand, argumentsOf, inBytes, UsageError, withServices } from './command'
import { byRunning } from './running'
import { draftsIn } from './socket'

export const backup: AdminCommand = {
  usage: 'backup FILE',
  says: 'writes the whole database to a new file while Intag goes on; - is standard output. PostgreSQL: pg_dump',
  more: [
    'The file (0600) is PGlite’s folder as of one moment, packed. It is as secret as the database: what staff wrote is',
    'encrypted with DATA_KEY, which belongs elsewhere. Everybody waits for some seconds while it is written.',
  ].join('\n'),
  run: async (args) => {
    const [name = ''] = argumentsOf(args, 1, {}).named
    requirePglite('pg_dump')
    if (name === '-') return toOutput()
    const path = resolve(name)
    if (existsSync(path)) throw new Error(`There is a file ${path} already.`)
    return make(path)
  },
}

function requirePglite(program: string): void {
  if (startedServices().env.databaseUrl !== null)
    throw new Error(`DATABASE_URL is set: PostgreSQL has its own ${program} (docs/run.md).`)
}

async function toOutput(): Promise<string> {
  if (process.stdout.isTTY) throw new UsageError('A terminal shows no backup: name a file, or pass it on with > or |.')
  return withDraft(async (draft) => {
    const said = await make(draft)
    await pipeline(createReadStream(draft), process.stdout, { end: false })
    process.stderr.write(`${said.replace(draft, 'The backup')}\n`)
    return ''
  })
}

/** A running Intag may write to its folder alone, so from there it is moved. */
async function make(path: string): Promise<string> {
  return write(path).catch((error: unknown) =>
    withDraft(async (draft) => {
      const { code, out, err } = await byRunning(error, { args: ['backup', draft] })
      if (code !== 0) throw new Error(err)
      await handOver(draft, path)
      return out.replace(draft, path)
    }),
  )
}

async function write(path: string): Promise<string> {
  return withServices(async ({ connect, activity }) => {
    const bytes = await writeBackup(await connect(), path)
    await activity.record({ userId: null, action: 'backup-made', details: { bytes, console: true } })
    return `${path} is whole: ${inBytes(bytes)}.`
  })
}

async function withDraft<T>(work: (draft: string) => Promise<T>): Promise<T> {
  const folder = draftsIn(startedServices().env.dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${randomUUID()}.backup`)
  try {
    return await work(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

async function handOver(from: string, to: string): Promise<void> {
  await (await open(to, 'wx', 0o600)).close()
  await rename(from, to).catch(async () => {
    await rm(to)
    await copyFile(from, to, constants.COPYFILE_EXCL)
  })
}

export const restore: AdminCommand = {
  usage: 'restore FILE [--replace]',
  says: 'puts a backup (- is standard input) into an empty DATA_DIR; --replace: in the place of what is there. Intag must be stopped',
  more: [
    'It is unpacked and looked through beside the database, which stays as it is unless all of it is there, of this DATA_KEY',
    'and of no newer version. Afterwards everybody signs in again, and open links must be made again. What was taken away',
    'from a user after the backup was made is theirs again: look through users.',
  ].join('\n'),
  isAlone: true,
  run: async (args) => {
    const { values, named } = argumentsOf(args, 1, { replace: { type: 'boolean' } })
    const [[name = ''], replace] = [named, values.replace === true]
    requirePglite('pg_restore')
    if (name !== '-') return restoreFrom(resolve(name), replace)
    return withDraft(async (draft) => {
      await pipeline(process.stdin, createWriteStream(draft, { mode: 0o600 }))
      return restoreFrom(draft, replace)
    })
  },
}

async function restoreFrom(path: string, replace: boolean): Promise<string> {
  const parts = startedServices()
  const { env, now, activity } = parts
  const before = await restoreBackup(path, {
    dataDir: env.dataDir,
    replace,
    now,
    accept: async (db) => {
      await claimDatabase({ ...parts, connect: async () => db })
      await activity.recordIn(db, { userId: null, action: 'backup-restored', details: { console: true } })
    },
  })
  const kept = before === null ? [] : [`The database of before lies in ${before}: delete it when all is well.`]
  return ['The backup is restored. Start Intag; everybody signs in again.', ...kept].join('\n')
}
