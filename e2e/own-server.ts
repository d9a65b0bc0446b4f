import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** An Intag for one test that stops it, fills it or needs its own settings. */
export function startOwn(port: number, dataDir: string, settings: Record<string, string> = {}) {
  const env = { ...process.env, PORT: `${port}`, LOG_LEVEL: 'warn', DEMO_TIER: 'M-new', DATA_DIR: dataDir, ...settings }
  const server = spawn(process.execPath, ['scripts/start.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  server.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()))
  server.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
  const origin = `http://localhost:${port}`
  const ended = once(server, 'close')
  return {
    origin,
    said,
    /** Exit code and signal. */
    ended,
    isUp: () => answers(`${origin}/api/health`),
    /** And has read the leads. */
    isReady: () => answers(`${origin}/api/health/ready`),
    stop: async () => {
      if (server.exitCode === null) server.kill('SIGTERM')
      return ended
    },
  }
}

const answers = (address: string) =>
  expect(async () => expect((await fetch(address)).status).toBe(200)).toPass({ timeout: 60_000 })

/** Ready to answer, in a temporary data folder. */
export async function startFresh(port: number, settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'intag-own-'))
  const server = startOwn(port, join(folder, 'data'), settings)
  await server.isUp()
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...server, stop }
}

/** Periodic work runs ten times as often. */
export const HURRIED = { NODE_OPTIONS: `--import ${join(process.cwd(), 'e2e/hurry.mjs')}` }
