import 'server-only'
import { setTimeout } from 'node:timers/promises'
import { FolderInUseError } from '@/server/db/folder-lock'
import { OpenFolderError } from '@/server/db/private-folder'
import { ensureFirstTemplates } from '@/server/desk/reply-templates'
import { openFrontDoor } from '@/server/http/front-door'
import { countPages } from '@/server/http/load'
import { claimDatabase } from '@/server/settings/database-mode'
import { ensureBootstrapAdmin, ensureDemoUsers } from '@/server/users/first-users'
import { SettingsError } from './env'
import { describeError } from './logger'
import { type Services, services } from './services'

/** Before the first request: settings, database, accounts, feed. What cannot work ends the process with a message. */
export async function startUp(): Promise<void> {
  try {
    const parts = services()
    const { env, demo, users, feed, budget, logger, redis, share, announcer, presence, retention } = parts
    openFrontDoor(env)
    countPages(parts.load)
    for (const doubt of env.doubts) logger.warn(doubt)
    await openDatabase(parts)
    await claimDatabase(parts)
    await redis?.connect()
    share?.subscribe(feed.takeOver)
    announcer.connect()
    presence.connect()
    retention.connect()
    // What the process before this one has spent counts from the first request on.
    await budget.sync()
    if (demo) await ensureDemoUsers(users, [...demo.staffSchools])
    else await ensureBootstrapAdmin(parts, env.bootstrapAdmin)
    await ensureFirstTemplates(parts)
    demo?.start()
    feed.start()
    retention.start()
    parts.unfinishedBatches.start()
    parts.reading.start()
    parts.sealer.start()
    parts.providerCheck?.start()
    closeOnSignal(parts)
    sayUp()
    logger.info({ mode: env.mode, port: env.port }, 'Intag is up')
  } catch (error) {
    process.stderr.write(`${startMessage(error)}\n`)
    process.exit(1)
  }
}

/** Tells `scripts/start.mjs`, where it is that which started the server. */
function sayUp(): void {
  const up: unknown = Reflect.get(globalThis, Symbol.for('intag.up'))
  if (typeof up === 'function') up()
}

/** The message for a database that cannot be opened names the setting, never the address. */
async function openDatabase({ env, connect }: Services): Promise<void> {
  try {
    await connect()
  } catch (error) {
    if (isForPeople(error)) throw error
    const { code, type } = describeError(error)
    const setting = env.databaseUrl === null ? 'DATA_DIR cannot be used' : 'DATABASE_URL cannot be reached'
    throw new SettingsError([`${setting} (${String(code ?? type)})`])
  }
}

/** Wrong settings and a folder in use, or open, have a message for people; anything else is printed with its place in the code. */
function startMessage(error: unknown): string {
  return isForPeople(error) ? error.message : `Intag cannot start: ${JSON.stringify(describeError(error))}`
}

function isForPeople(error: unknown): error is Error {
  return error instanceof SettingsError || error instanceof FolderInUseError || error instanceof OpenFolderError
}

/** Open requests get this long to end, and then the database this long to close, which it survives without. */
const GRACE_MS = 200
const CLOSE_MS = 500

/** Live streams would keep a server open for ever, so they are closed first; the database last. */
function closeOnSignal(parts: Services): void {
  const { feed, demo, database, hub, redis, share, retention, providerCheck } = parts
  const close = async () => {
    hub.close()
    feed.stop()
    retention.stop()
    parts.unfinishedBatches.stop()
    providerCheck?.stop()
    demo?.stop()
    await setTimeout(GRACE_MS)
    await Promise.race([
      Promise.all([share?.close(), endLog(parts).then(() => database.close())]),
      setTimeout(CLOSE_MS),
    ])
    redis?.close()
    process.exit(0)
  }
  process.once('SIGTERM', () => void close())
  process.once('SIGINT', () => void close())
}

/** What was read lately is written and all of it sealed; what fails is in the process log. */
async function endLog({ reading, sealer }: Services): Promise<void> {
  await reading.stop()
  await sealer.stop()
}
