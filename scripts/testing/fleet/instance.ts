import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ask } from './ask'
import { freePort } from '@/scripts/testing/free-port'
import { createMachine, type Machine } from './machine'
import { LIMITS, TOKEN } from './service'
import { BOOTSTRAP } from './viewers'

export type Instance = Machine & { port: number; origin: string }

export type Shared = Record<'folder' | 'databaseUrl' | 'origin' | 'secret' | 'key', string>
type InstanceOptions = Shared & { name: string; serviceUrl: string }

const startScript = z.object({ scripts: z.object({ start: z.string() }) })

export async function createInstance(options: InstanceOptions): Promise<Instance> {
  const { name, folder } = options
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const dataDir = join(folder, `data-${name}`)
  mkdirSync(dataDir)
  const launch = () => {
    const { scripts } = startScript.parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const words = scripts.start.split(' ')
    const args = words.slice(words.indexOf('node') + 1)
    return { command: process.execPath, args, options: { env: settingsOf(options, port, dataDir) } }
  }
  const isReady = async () => (await ask(origin, '/api/health/ready', { timeoutMs: 2_000 })).status === 200
  return { ...createMachine({ name, folder, launch, isReady }), port, origin }
}

function settingsOf(options: InstanceOptions, port: number, dataDir: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  return {
    ...inherited,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: options.databaseUrl,
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
