import 'server-only'
import { setTimeout } from 'node:timers/promises'
import { FolderInUseError } from '@/server/db/folder-lock'
import { SettingsError } from './env'
import { describeError } from './logger'
import { services } from './services'
import { ensureFirstTemplates } from '@/server/templates/ensure-first-templates'
import { ensureBootstrapAdmin } from '@/server/users/ensure-bootstrap-admin'
import { ensureDemoUsers } from '@/server/users/ensure-demo-users'

/** Before the first request: settings, database, accounts, feed. What cannot work ends the process with a message. */
export async function startUp(): Promise<void> {
  try {
    const { env, demo, users, feed, budget, logger, redis, share, connect, now } = services()
    const { announcer, presence, purgeNews, retention } = services()
    await openDatabase()
    await redis?.connect()
    share?.onNews(feed.hear)
    announcer.connect()
    presence.connect()
    purgeNews.connect()
    // What the process before this one has spent counts from the first request on.
    await budget.sync()
    if (demo) await ensureDemoUsers(users, [...demo.staffSchools])
    else await ensureBootstrapAdmin(users, env.bootstrapAdmin)
    await ensureFirstTemplates(connect, now)
    demo?.start()
    feed.start()
    retention.start()
    closeOnSignal()
    logger.info({ mode: env.mode, port: env.port }, 'Intag is up')
  } catch (error) {
    process.stderr.write(`${startMessage(error)}\n`)
    process.exit(1)
  }
}

/** A database that cannot be opened is told by the setting that names it, never by its address. */
async function openDatabase(): Promise<void> {
  const { env, connect } = services()
  try {
    await connect()
  } catch (error) {
    if (error instanceof FolderInUseError) throw error
    const { code, type } = describeError(error)
    const setting = env.databaseUrl === null ? 'DATA_DIR cannot be used' : 'DATABASE_URL cannot be reached'
    throw new SettingsError([`${setting} (${String(code ?? type)})`])
  }
}

/** Settings and a folder in use are told in words for people; anything else needs its place in the code. */
function startMessage(error: unknown): string {
  const isForPeople = error instanceof SettingsError || error instanceof FolderInUseError
  return isForPeople ? error.message : `Intag cannot start: ${JSON.stringify(describeError(error))}`
}

/** Open requests get this long to end, and then the database this long to close, which it survives without. */
const GRACE_MS = 200
const CLOSE_MS = 500

/** Live streams would keep a server open for ever, so they are closed first; the database last. */
function closeOnSignal(): void {
  const close = async () => {
    const { feed, demo, database, hub, redis, share, retention } = services()
    hub.close()
    feed.stop()
    retention.stop()
    demo?.stop()
    await setTimeout(GRACE_MS)
    await Promise.race([Promise.all([share?.close(), database.close()]), setTimeout(CLOSE_MS)])
    redis?.close()
    process.exit(0)
  }
  process.once('SIGTERM', () => void close())
  process.once('SIGINT', () => void close())
}
