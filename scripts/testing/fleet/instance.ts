import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ask } from './ask'
import { freePort } from '@/scripts/testing/free-port'
import { createMachine, type Machine } from './machine'
import { fakeTimeLibrary } from './servers'
import { LIMITS, TOKEN } from './service'
import { BOOTSTRAP } from './viewers'

export type Instance = Machine & { port: number; origin: string; moveClock: (seconds: number) => void }

export type Shared = Record<'folder' | 'databaseUrl' | 'redisUrl' | 'origin' | 'secret' | 'key', string>
type OwnOptions = { name: string; serviceUrl: string; dataDir: string; hasOwnClock?: boolean }
type InstanceOptions = Shared & OwnOptions

const startScript = z.object({ scripts: z.object({ start: z.string() }) })

export async function createInstance(options: InstanceOptions): Promise<Instance> {
  const { name, folder, dataDir } = options
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const clock = join(folder, `${name}.clock`)
  writeFileSync(clock, '+0')
  mkdirSync(dataDir, { recursive: true })
  const library = options.hasOwnClock === true ? fakeTimeLibrary() : null
  const launch = () => {
    const { scripts } = startScript.parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const words = scripts.start.split(' ')
    const args = words.slice(words.indexOf('node') + 1)
    const env = { ...settingsOf(options, port), ...(library !== null && clockSettings(library, clock)) }
    return { command: process.execPath, args, options: { env } }
  }
  const machine = createMachine({ name, folder, launch, isReady: () => isReady(origin) })
  const moveClock = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}`)
  return { ...machine, port, origin, moveClock }
}

async function isReady(origin: string): Promise<boolean> {
  return (await ask(origin, '/api/health/ready', { timeoutMs: 2_000 })).status === 200
}

function settingsOf(options: InstanceOptions, port: number): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  return {
    ...inherited,
    PORT: String(port),
    DATA_DIR: options.dataDir,
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl,
    LEADS_API_URL: options.serviceUrl,
    LEADS_API_TOKEN: TOKEN,
    LEADS_API_PER_SECOND: String(LIMITS.perSecond),
    LEADS_API_PER_HOUR: String(LIMITS.perHour),
    NEXTAUTH_URL: options.origin,
    NEXTAUTH_SECRET: options.secret,
    DATA_KEY: options.key,
    BOOTSTRAP_ADMIN_EMAIL: BOOTSTRAP.email,
    BOOTSTRAP_ADMIN_PASSWORD: BOOTSTRAP.password,
    TRUSTED_PROXIES: '1',
    LOG_LEVEL: 'warn',
  }
}

/** Moves the calendar only: no host's monotonic clock goes back. */
function clockSettings(library: string, clock: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}
