import 'server-only'
import { writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { FolderError, otherOwner } from '@/server/base/data-folder'
import { databaseTrouble, isDatabaseAway } from '@/server/base/outage'
import { runRetention } from '@/server/privacy/retention'
import { ensureFirstTemplates, sealOwnTemplates } from '@/server/replies/reply-templates'
import { ensureDemoPast } from '@/server/run/demo-past'
import { createFrontDoor, ignoreUpgrades } from '@/server/http/front-door'
import { whenDatabaseAnswers } from '@/server/http/health'
import { watchRequests } from '@/server/http/open-requests'
import { endOnSignal, shutDown } from './shutdown'
import { openConsole } from './console'
import { claimDatabase } from './database-identity'
import { demoAccounts, ensureBootstrapAdmin, ensureDemoUsers, isNobodyYet } from '@/server/access/first-users'
import { calledAs, type Env, isDevelopment, SettingsError } from '@/server/base/env'
import { describeError, logConsole } from '@/server/base/logger'
import type { Services } from '@/server/base/services'
import { startedServices } from './services'

/** Nobody is served before it ends. What cannot work ends the process with a message. */
export async function startUp(): Promise<void> {
  const exitWith = (error: unknown): never => {
    const text = isForPeople(error) ? error.message : `Intag cannot start: ${JSON.stringify(describeError(error))}`
    writeSync(2, `${text}\n`)
    process.exit(1)
  }
  try {
    const parts = startedServices()
    const { env, logger, lifecycle } = parts
    const frontDoor = createFrontDoor(env, parts.counters.answered)
    const requests = watchRequests(frontDoor)
    endOnSignal(async (isHurried) => {
      if (!lifecycle.isComing()) await shutDown(parts, requests, isHurried ? 0 : env.drainSeconds * 1000)
    })
    if (!isDevelopment()) {
      // The overlay of `next dev` comes by a WebSocket.
      ignoreUpgrades()
      logConsole(logger)
    }
    const started = finishStart(parts).catch(exitWith)
    // PostgreSQL may be away or migrate for minutes: then requests are answered. PGlite works in this process.
    await (env.databaseUrl === null ? started : Promise.race([started, wait(5_000, undefined, { ref: false })]))
  } catch (error) {
    exitWith(error)
  }
}

function isForPeople(error: unknown): error is Error {
  return error instanceof SettingsError || error instanceof FolderError
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

async function finishStart(parts: Services): Promise<void> {
  const { env, connect, demo, users, feed, budget, logger, events, every } = parts
  await whenDatabaseAnswers(parts, async () => {
    const owner = env.databaseUrl === null ? otherOwner(env.dataDir) : null
    if (owner !== null)
      throw new SettingsError([
        `DATA_DIR belongs to the user ${owner.uid}, not to root: start Intag as that user, or give the folder to root (chown -R root)`,
      ])
    await connect().catch((error: unknown) => {
      if (isForPeople(error) || isDatabaseAway(env, error)) throw error
      const setting = env.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
      throw new SettingsError([`${setting}: the database cannot be used: ${databaseTrouble(error)}`])
    })
    await claimDatabase(parts)
  })
  await events.look()
  // What earlier processes sent counts from the first request on.
  await budget.sync()
  await whenDatabaseAnswers(parts, async () => {
    if (demo) await ensureDemoUsers(users, [...demo.staffSchools])
    else {
      await ensureBootstrapAdmin(parts)
      if (await isNobodyYet(parts))
        logger.warn(
          `there is no administrator yet: ${calledAs('admin')} add-admin EMAIL, or set BOOTSTRAP_ADMIN_EMAIL and BOOTSTRAP_ADMIN_PASSWORD and start again`,
        )
    }
    await ensureFirstTemplates(parts)
    await sealOwnTemplates(parts)
    await ensureDemoPast(parts).catch((err: unknown) =>
      logger.warn({ err }, 'the past of the demo could not be written'),
    )
  })
  demo?.start()
  feed.start()
  every(10 * MINUTE_MS, () => runRetention(parts), { what: 'retention', afterMs: MINUTE_MS })
  every(20 * SECOND_MS, parts.workClock, { what: 'what counts as work', afterMs: 0 })
  every(5 * SECOND_MS, parts.topics.run, { what: 'topics of questions', afterMs: 0 })
  every(10 * SECOND_MS, parts.openings.flush, { what: 'logging who opened leads' })
  every(MINUTE_MS, parts.exportLog.endAbandoned, { what: 'abandoned exports' })
  every(MINUTE_MS, parts.throttle.cleanUp, { what: 'forgetting tries to sign in' })
  every(SECOND_MS, parts.presence.sweep, { what: 'presence' })
  every(SECOND_MS, events.look, { what: 'messages of other instances' })
  if (env.databaseUrl !== null) {
    every(20 * SECOND_MS, budget.sync, { what: 'the spent hour' })
    // Other instances have the lists already: the first person must not see empty ones. Two seconds at most.
    const isMissing = () => feed.askedQuestions().content === null || feed.declarations().content === null
    for (let tries = 0; isMissing() && tries < 80; tries += 1) await wait(25)
  }
  parts.lifecycle.up()
  openConsole(parts)
  logger.info({ mode: env.mode, port: env.port }, 'Intag is up')
  if (env.logFormat === 'text') process.stdout.write(greeting(env))
}

const ROLES = {
  staff: 'admissions staff of two schools',
  manager: 'manager: the numbers of all schools',
  admin: 'administrator',
} as const

export function greeting({ mode, auth, upstream }: Pick<Env, 'mode' | 'auth' | 'upstream'>): string {
  const accounts = demoAccounts([]).map(({ email, role }) => `          ${email.padEnd(20)}${ROLES[role]}`)
  const lines =
    mode === 'demo'
      ? [
          'Intag is up, as a demo: the pupils and their leads are invented.',
          '',
          `Open      ${auth.url}`,
          `Sign in   with the password demo, as`,
          ...accounts,
          `Stop      Ctrl+C`,
          '',
          `To connect your own service: ${calledAs('setup').replace(' --', '')}`,
        ]
      : [
          'Intag is up.',
          '',
          `Leads     from ${new URL(upstream?.url ?? auth.url).host}`,
          `Check     ${calledAs('admin')} doctor`,
          `Stop      Ctrl+C`,
          `Open      ${auth.url}`,
        ]
  return `\n${lines.join('\n')}\n\n`
}
