import 'server-only'
import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { createQueue } from '@/server/base/concurrency-limit'
import type { Env } from '@/server/base/env'
import type { Logger } from '@/server/base/logger'
import { parsedJson } from '@/server/base/parsed-json'

const askedSchema = z.object({ args: z.array(z.string()), called: z.string() })
const endedSchema = z.object({ code: z.literal([0, 1, 2]), out: z.string(), err: z.string() })
/** What a command came to: its exit code, and what is printed to both outputs. */
export type Ended = z.infer<typeof endedSchema>
const OTHER_RELEASE: Ended = { code: 1, out: '', err: 'Intag runs in another release than this command.' }
type Run = (args: readonly string[], called: string) => Promise<Ended>

/** Limit of `sun_path` (unix(7)), less its end. */
const MAX_PATH_LENGTH = 103

function socketPath(dataDir: string): string {
  return join(dataDir, 'console.sock')
}

/** Half of a backup that a killed console was writing, or reading, lies here. */
export function draftsIn(dataDir: string): string {
  return join(dataDir, 'backups')
}

/**
 * PGlite is open in one process alone, which therefore runs the console's commands: by a socket of its owner (0600, in a
 * folder of 0700), one after the other. With PostgreSQL, null. Needs the lock of the folder: what lies there is stale.
 */
export function openConsole(parts: { env: Env; logger: Logger }, run: Run): Server | null {
  const { env, logger } = parts
  const path = socketPath(env.dataDir)
  if (env.databaseUrl !== null) return null
  if (path.length > MAX_PATH_LENGTH) {
    logger.warn('DATA_DIR is too long a path for a socket: the console’s commands need Intag stopped')
    return null
  }
  for (const stale of [path, draftsIn(env.dataDir)]) rmSync(stale, { recursive: true, force: true })
  const queue = createQueue()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let asked = ''
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (some: string) => void (asked += some))
    socket.on('end', () => void queue(async () => socket.end(JSON.stringify(await answerTo(asked, run)))))
  })
  server.on('error', (err) => logger.warn({ err }, 'the console’s commands need Intag stopped'))
  server.listen(path, () => chmodSync(path, 0o600))
  return server.unref()
}

async function answerTo(sent: string, run: Run): Promise<Ended> {
  const asked = askedSchema.safeParse(parsedJson(sent))
  return asked.success ? run(asked.data.args, asked.data.called) : OTHER_RELEASE
}

export class NobodyAnswersError extends Error {
  override readonly name = 'NobodyAnswersError'
}

/** Has the process that holds the data folder run a command. `NobodyAnswersError` while it is not up. */
export async function askRunning(dataDir: string, args: readonly string[], called = ''): Promise<Ended> {
  const socket = createConnection(socketPath(dataDir)).end(JSON.stringify({ args, called }))
  const answer = await text(socket).catch(() => '')
  if (answer === '') throw new NobodyAnswersError('Intag does not answer.')
  return endedSchema.safeParse(parsedJson(answer)).data ?? OTHER_RELEASE
}
