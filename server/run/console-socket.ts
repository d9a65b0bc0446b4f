import { chmodSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { tryParseJson } from '@/server/base/parse-input'
import type { Services } from '@/server/base/services'
import type { CommandResult } from './console-commands'

/* The request is the command's words as JSON. The result is a line of JSON, and after it the bytes of a backup, if any.
   Both are validated, because the console may be of another release. */
const requestSchema = z.array(z.string())
const resultSchema = z.object({ exitCode: z.number(), text: z.string(), backupBytes: z.number() })
const toSocketPath = (dataDir: string) => join(dataDir, 'console.sock')

/** Executes the console's commands, because PGlite opens in one process only. Only its OS user may connect. */
export function listenForCommands(
  { env, logger }: Services,
  run: (args: readonly string[], options: { isForwarded: true }) => Promise<CommandResult>,
): Server | null {
  if (env.databaseUrl !== null) return null
  const path = toSocketPath(env.dataDir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // Data is read by events, because iterating over the socket would destroy it before the result is written.
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
    const runAndSend = async () => {
      const args = requestSchema.parse(JSON.parse(received))
      const { backup = '', ...result } = await run(args, { isForwarded: true })
      socket.write(`${JSON.stringify({ ...result, backupBytes: backup.length })}\n`)
      socket.end(backup)
    }
    // Errors are ignored: a console that is gone misses its result, which is no failure of Intag.
    socket.on('error', () => {}).on('end', () => void runAndSend().catch(() => socket.destroy()))
  })
  server.on('error', (err) => logger.warn({ err }, 'the console’s commands need Intag stopped'))
  // This process holds the folder's lock, so an existing socket was left by a dead one.
  rmSync(path, { force: true })
  server.listen(path, () => chmodSync(path, 0o600))
  return server.unref()
}

/** Returns null if no answer comes that this release can read. Throws if only a part of a backup came. */
export async function forwardCommand(dataDir: string, args: readonly string[]): Promise<CommandResult | null> {
  const socket = createConnection(toSocketPath(dataDir)).end(JSON.stringify(args))
  const answer = await buffer(socket).catch(() => Buffer.alloc(0))
  const lineEnd = answer.indexOf('\n')
  if (lineEnd === -1) return null
  const { data: result } = resultSchema.safeParse(tryParseJson(answer.subarray(0, lineEnd)))
  if (result === undefined) return null
  const { exitCode, text, backupBytes } = result
  const backup = answer.subarray(lineEnd + 1)
  // A process that dies closes its socket like one that has sent everything.
  if (backup.length !== backupBytes) throw new Error('Intag ended before it had sent the whole backup.')
  return backup.length > 0 ? { exitCode, text, backup } : { exitCode, text }
}
