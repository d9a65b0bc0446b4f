import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '@/lib/time/durations'
import { ensureBootstrapAdmin, ensureDemoUsers, listDemoAccounts, needsFirstUser } from '@/server/access/first-users'
import { redirectConsole } from '@/server/base/console-redirect'
import { findOtherOwner, FolderError } from '@/server/base/data-folder'
import { mayDatabaseRecover } from '@/server/base/database-outage'
import { isDevelopment, SettingsError, toCommandLine } from '@/server/base/env'
import { explainDatabaseError } from '@/server/base/explain-database-error'
import { describeError } from '@/server/base/logger'
import type { Services } from '@/server/base/services'
import { retryDuringOutage } from '@/server/http/lifecycle'
import { trackOpenRequests } from '@/server/http/open-requests'
import { createRequestHook, disableUpgrades } from '@/server/http/request-hook'
import { runRetention } from '@/server/privacy/retention'
import { encryptOldTemplates, ensureFirstTemplates } from '@/server/replies/reply-templates'
import { runConsole } from './console'
import { listenForCommands } from './console-socket'
import { claimDatabase } from './database-identity'
import { ensureDemoPast } from './demo-past'
import { buildServices } from './services'
import { shutDown, shutDownOnSignal } from './shutdown'

/** PostgreSQL may be away or migrate for minutes, so after this time Next serves a page that says so. */
const MAX_WAIT_MS = 5 * SECOND_MS

/** Starts Intag. Next serves no request before this resolves. An error that waiting does not solve ends the process. */
export async function startUp() {
  try {
    const services = buildServices()
    const { env, logger, lifecycle } = services
    const requests = trackOpenRequests(createRequestHook(env, services.counters.countRequest))
    shutDownOnSignal(async ({ isHurried }) => {
      if (!lifecycle.isStarting()) await shutDown(services, requests, isHurried ? 0 : env.drainSeconds * 1000)
    })
    if (!isDevelopment()) {
      // Only `next dev` needs upgrades, for its error overlay.
      disableUpgrades()
      redirectConsole(logger)
    }
    const started = finishStart(services).catch(exitWith)
    // PGlite blocks this process while it opens, so no page could be served meanwhile.
    await (env.databaseUrl === null ? started : Promise.race([started, wait(MAX_WAIT_MS, undefined, { ref: false })]))
  } catch (error) {
    exitWith(error)
  }
}

function exitWith(error: unknown): never {
  const text = isExpectedError(error) ? error.message : `Intag cannot start: ${JSON.stringify(describeError(error))}`
  // Unlike the logger, this has written when it returns.
  writeSync(2, `${text}\n`)
  process.exit(1)
}

function isExpectedError(error: unknown): error is Error {
  return error instanceof SettingsError || error instanceof FolderError
}

/** Does what needs the database, which may take minutes, and then marks Intag as up. */
async function finishStart(services: Services) {
  const { env, connect, demo, users, feed, budget, logger, events } = services
  await retryDuringOutage(services, async () => {
    const owner = env.databaseUrl === null ? findOtherOwner(env.dataDir) : null
    if (owner !== null)
      throw new SettingsError([
        `DATA_DIR belongs to the user ${owner.uid}, not to root: start Intag as that user, or give the folder to root (chown -R root)`,
      ])
    await connect().catch((error: unknown) => {
      if (isExpectedError(error) || mayDatabaseRecover(env, error)) throw error
      const setting = env.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
      throw new SettingsError([`${setting}: the database cannot be used: ${explainDatabaseError(error)}`])
    })
    await claimDatabase(services)
  })
  await events.poll()
  // Requests of earlier processes count from the first request on.
  await budget.sync()
  await retryDuringOutage(services, async () => {
    if (demo) await ensureDemoUsers(users, [...demo.staffSchools])
    else {
      await ensureBootstrapAdmin(services)
      if (await needsFirstUser(services))
        logger.warn(
          `there is no administrator yet: ${toCommandLine('admin')} add-admin EMAIL, or set BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD and start again`,
        )
    }
    await ensureFirstTemplates(services)
    await encryptOldTemplates(services)
    // A demo without a past still shows everything else.
    await ensureDemoPast(services).catch((err: unknown) =>
      logger.warn({ err }, 'the past of the demo could not be written'),
    )
  })
  demo?.start()
  feed.start()
  const { repeatEvery } = services.jobs
  repeatEvery(10 * MINUTE_MS, () => runRetention(services), { name: 'retention', firstDelayMs: MINUTE_MS })
  repeatEvery(20 * SECOND_MS, services.announceWorkChange, { name: 'what counts as work', firstDelayMs: 0 })
  repeatEvery(5 * SECOND_MS, services.topics.run, { name: 'topics of questions', firstDelayMs: 0 })
  repeatEvery(10 * SECOND_MS, services.leadOpenings.flush, { name: 'logging who opened leads' })
  repeatEvery(MINUTE_MS, services.exportLog.endAbandoned, { name: 'abandoned exports' })
  repeatEvery(MINUTE_MS, services.throttle.cleanUp, { name: 'forgetting tries to sign in' })
  repeatEvery(SECOND_MS, services.presence.removeExpired, { name: 'presence' })
  repeatEvery(SECOND_MS, events.poll, { name: 'messages of other instances' })
  if (env.databaseUrl !== null) {
    repeatEvery(20 * SECOND_MS, budget.sync, { name: 'the spent hour' })
    // Other instances may have the lists already, so the first user waits two seconds instead of seeing empty ones.
    await feed.waitForLists(2_000)
  }
  services.lifecycle.markUp()
  listenForCommands(services, runConsole)
  logger.info({ mode: env.mode, port: env.port }, 'Intag is up')
  if (env.logFormat === 'text' && demo) process.stdout.write(describeDemo(env.auth.url))
}

function describeDemo(address: string): string {
  const accounts = listDemoAccounts([]).map(({ email }) => email)
  return `
Intag is up, as a demo: the pupils and their leads are invented.

Open      ${address}
Sign in   with the password demo, as ${accounts.join(', ')}
Stop      Ctrl+C

To connect your own service: ${toCommandLine('setup').replace(' --', '')}

`
}
