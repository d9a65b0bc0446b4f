import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** Starts an Intag for one test, which fills it or needs settings of its own. It answers, and its data is in a temporary folder. */
export async function startFresh(port: number, settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'intag-own-'))
  const env = { ...process.env, PORT: `${port}`, LOG_LEVEL: 'warn', DEMO_TIER: 'M-new', DATA_DIR: dataDir, ...settings }
  const server = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(server, 'close')
  let log = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const origin = `http://localhost:${port}`
  const answers = (path: string) =>
    expect(async () => expect((await fetch(origin + path)).status).toBe(200)).toPass({ timeout: 60_000 })
  const end = async () => {
    if (server.exitCode === null) server.kill('SIGTERM')
    await ended
  }
  await answers('/api/health')
  return {
    origin,
    dataDir,
    readLog: () => log,
    /** It has read the leads. */
    isReady: () => answers('/api/health/ready'),
    /** Ends the program and leaves its data. */
    end,
    stop: async () => {
      await end()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** Periodic work runs ten times as often. */
export const HURRIED = { NODE_OPTIONS: `--import ${join(process.cwd(), 'e2e/hurry.mjs')}` }
