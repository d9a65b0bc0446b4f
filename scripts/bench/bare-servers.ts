import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import packageJson from '@/package.json'
import type { Up } from './bare-http'
import { forked } from './forked'
import { cpuMsOf } from './processor-time'
import { freePort } from '@/scripts/free-port'

/** Something that only answers, to be compared with. */
export type BareServer = { origin: string; cpuMs: () => number; stop: () => Promise<void> }

export async function startBareHttp(): Promise<BareServer> {
  const server = forked('bare-http.ts')
  const [{ port }] = (await once(server, 'message')) as [Up]
  return serverOf(server, `http://127.0.0.1:${port}`)
}

const FILES = {
  'package.json': '{}',
  'app/route.js': `export const dynamic = 'force-dynamic'\nexport const GET = () => Response.json({})\n`,
}
const NEXT = 'node_modules/next/dist/bin/next'

/** One route that does nothing, built and run by the same Next and Node as ours, outside of our folder and its settings. */
export async function startBareNext(): Promise<BareServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bare-next-'))
  await mkdir(join(folder, 'app'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  // The other bundler wants all modules below the folder.
  await promisify(execFile)(process.execPath, [NEXT, 'build', '--webpack'], { cwd: folder, env })
  const port = await freePort()
  const flags = packageJson.scripts.start.split(' ').filter((part) => part.startsWith('--'))
  const args = [...flags, NEXT, 'start', '--port', String(port)]
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const origin = `http://localhost:${port}`
  const { stop, ...rest } = serverOf(server, origin)
  await untilUp(server, origin)
  return { ...rest, stop: () => stop().then(() => rm(folder, { recursive: true, force: true })) }
}

function serverOf(server: ChildProcess, origin: string): BareServer {
  process.once('exit', () => server.kill())
  const stop = async () => {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  return { origin, cpuMs: () => cpuMsOf(server.pid), stop }
}

async function untilUp(server: ChildProcess, origin: string): Promise<void> {
  while (server.exitCode === null) {
    const isUp = await fetch(origin).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await wait(100)
  }
  throw new Error('The bare Next app has ended.')
}
